import type { Page } from 'playwright-core'

/**
 * Makes every word of the page 40 % longer, as in other languages, and returns a function that undoes this. Numbers, addresses,
 * IDs and elements with `translate="no"` stay the same, because they are not translated. Text that the page has changed in the meantime is not restored.
 */
export async function lengthenTexts(page: Page): Promise<() => Promise<void>> {
  const undo = await page.evaluateHandle(() => {
    const lengthen = (text: string) =>
      text.replace(/\p{L}[\p{L}\p{M}’'-]+(?![\p{L}\p{M}\d@./])/gu, (word, offset: number) =>
        /[\d@./]/.test(text[offset - 1] ?? '') ? word : word + word.slice(0, Math.round(word.length * 0.4)),
      )
    const changed: {
      originalText: string
      newText: string
      read: () => string
      write: (text: string) => void
    }[] = []
    const change = (read: () => string, write: (text: string) => void) => {
      const originalText = read()
      const newText = lengthen(originalText)
      if (newText === originalText) return
      write(newText)
      changed.push({ originalText, newText, read, write })
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const text = node
      if (text.parentElement?.closest('script, style, noscript, [translate="no"]')) continue
      change(
        () => text.data,
        data => {
          text.data = data
        },
      )
    }
    for (const element of document.querySelectorAll<HTMLElement>('[data-label]'))
      change(
        () => element.dataset.label ?? '',
        label => {
          element.dataset.label = label
        },
      )
    return () => {
      for (const { originalText, newText, read, write } of changed)
        if (read() === newText) write(originalText)
      return changed.length
    }
  })
  return async () => {
    await undo.evaluate(undoLengthening => undoLengthening())
    await undo.dispose()
  }
}
