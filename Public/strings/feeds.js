// @ts-check
/** The visible strings of the feed addresses, and the code that polls them. */

export const feedStrings = {
  title: "Feed addresses",
  names: {
    bellerophon: "Bellerophon", launchgate: "LaunchGate, Gandalf", "prince-of-versions": "Prince of Versions",
    combined: "Several libraries at once", gate: "GateKit",
  },
  code: "Code to paste", copyCode: "Copy the code", copyAddress: "Copy the address",
  /** @type {Record<string, (platform: string, address: string, store: string) => string | null>} */
  snippets: {
    gate: (platform, address, store) => (platform === "android"
      ? null
      : "import GateKit\n\n"
        + `${store ? "let" : "var"} configuration = GateConfiguration(feed: URL(string: "${address}")!)\n`
        + (store ? "" : "configuration.storeURL = URL(string: \"https://apps.apple.com/app/id…\")\n")
        + "let gate = GateMonitor(configuration, phone: .current())\n"
        + "let screen = GateScreen(\n  monitor: gate, presenter: UIKitGatePresenter(scene: windowScene),\n"
        + "  texts: .of(Locale.preferredLanguages)) { UIApplication.shared.open($0) }\n"
        + "await screen.listen()\nawait gate.start()\n"
        + "// in sceneWillEnterForeground: await gate.enterForeground()\n// in sceneDidEnterBackground: await gate.enterBackground()"),
    bellerophon: (platform, address) => (platform === "android"
      ? null
      : `// what your bellerophonStatus(_:completion:) fetches\nlet statusURL = URL(string: "${address}")!`),
    launchgate: (platform, address, store) => (platform === "android"
      ? "Gandalf.Installer()\n    .setContext(this)\n    .setPackageName(packageName)\n"
        + `    .setBootstrapUrl("${address}")\n    .install()`
      : `lazy var launchGate = LaunchGate(\n  configURI: "${address}",\n`
        + `  appStoreURI: "${store || "itms-apps://apps.apple.com/app/id…"}")\n// in applicationDidBecomeActive: launchGate?.check()`),
    "prince-of-versions": (platform, address) => (platform === "android"
      ? `PrinceOfVersions.Builder().build(this)\n    .checkForUpdates(NetworkLoader("${address}"), callback)`
      : `let url = URL(string: "${address}")!\nPrinceOfVersions.checkForUpdates(from: url) { response in … }`),
  },
  hint: "If phones reach the feeds under another host than this page, put that host in its place.",
};
