interface ImportMeta {
  /** Provided by the bundler: the modules of a folder. */
  webpackContext(
    folder: string,
    options: { regExp: RegExp },
  ): { keys(): readonly string[]; (file: string): unknown }
}
