#if canImport(SwiftUI)
    public import SwiftUI

    /// What a SwiftUI app observes: the presentation on the screen.
    @MainActor public final class GateScreenModel: ObservableObject, GatePresenter {
        @Published public private(set) var presentation: GatePresentation?
        private var press: (@MainActor (GatePresentation.Action) -> Void)?

        public init() {}

        public func present(_ presentation: GatePresentation, press: @escaping @MainActor (GatePresentation.Action) -> Void) {
            self.press = press
            self.presentation = presentation
        }

        public func dismiss() {
            presentation = nil
            press = nil
        }

        func pressed(_ action: GatePresentation.Action) { press?(action) }
    }

    extension View {
        /// Covers the view while its gate is shut, and shows notices over it.
        @MainActor public func gated(by model: GateScreenModel) -> some View { modifier(GateModifier(model: model)) }
    }

    private struct GateModifier: ViewModifier {
        @ObservedObject var model: GateScreenModel

        func body(content: Content) -> some View {
            ZStack {
                content
                if let presentation = model.presentation {
                    if !presentation.isBlocking { Color.black.opacity(0.3).ignoresSafeArea() }
                    GateCard(presentation: presentation, press: model.pressed)
                }
            }
        }
    }

    private struct GateCard: View {
        let presentation: GatePresentation
        let press: (GatePresentation.Action) -> Void

        var body: some View {
            VStack(spacing: 16) {
                if let title = presentation.title { Text(title).font(.headline) }
                Text(presentation.message).multilineTextAlignment(.center)
                ForEach(presentation.buttons, id: \.action) { button in Button(button.title) { press(button.action) } }
            }
            .padding(24)
            .frame(maxWidth: .infinity, maxHeight: presentation.isBlocking ? .infinity : nil)
            .background(.background)
            .accessibilityAddTraits(.isModal)
        }
    }
#endif
