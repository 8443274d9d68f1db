#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// Shows blocks in a window of their own above the app, and notices as alerts over whatever the app shows.
    @MainActor public final class UIKitGatePresenter: GatePresenter {
        private weak var scene: UIWindowScene?
        private var window: UIWindow?

        /// - Parameter scene: the scene to cover.
        public init(scene: UIWindowScene) { self.scene = scene }

        public func present(_ presentation: GatePresentation, press: @escaping @MainActor (GatePresentation.Action) -> Void) {
            dismiss()
            guard let scene else { return }
            let window = UIWindow(windowScene: scene)
            let root = UIViewController()
            // A block hides what is behind it; a notice does not.
            root.view.backgroundColor = presentation.isBlocking ? .systemBackground : .clear
            window.rootViewController = root
            window.windowLevel = .alert
            window.makeKeyAndVisible()
            self.window = window
            show(presentation, over: root, press)
        }

        public func dismiss() {
            window?.isHidden = true
            window = nil
        }

        private func show(
            _ presentation: GatePresentation,
            over root: UIViewController,
            _ press: @escaping @MainActor (GatePresentation.Action) -> Void
        ) {
            let alert = UIAlertController(title: presentation.title, message: presentation.message, preferredStyle: .alert)
            for button in presentation.buttons {
                alert.addAction(
                    UIAlertAction(title: button.title, style: .default) { [weak self, weak root] _ in
                        press(button.action)
                        // Every button closes a UIKit alert; if the presentation is still current, show it again.
                        guard let self, let root, self.window?.rootViewController === root, button.action != .putAway else { return }
                        self.show(presentation, over: root, press)
                    }
                )
            }
            root.present(alert, animated: true)
        }
    }
#endif
