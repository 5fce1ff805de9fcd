declare module 'vitest' {
  interface TaskMeta {
    /** A test's measurement as text, which `npm run faults` prints. */
    measurement?: string
  }
}

export {}
