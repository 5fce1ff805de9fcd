declare module 'vitest' {
  interface TaskMeta {
    /** What a test has measured, in words: `npm run faults` prints it. */
    figure?: string
  }
}

export {}
