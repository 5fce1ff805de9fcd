import { letterLink } from '@portal/contract/letter'
import { describe, expect, it } from 'vitest'
import { statusTextOf } from './status-text.ts'

const since = '2026-03-14T12:00:00.000Z'

describe('statusTextOf', () => {
  it('returns a different heading for every status in the contract, and a text with the date', () => {
    const texts = letterLink.shape.status.options.map(status => statusTextOf(status, since))
    expect(new Set(texts.map(({ heading }) => heading)).size).toBe(texts.length)
    for (const { text } of texts) expect(text).toContain('March 14, 2026')
  })
  it('warns against relying on a letter unless it is valid', () => {
    expect(statusTextOf('valid', since).display.tone).toBe('success')
    for (const status of ['withdrawn', 'superseded'] as const) {
      expect(statusTextOf(status, since).display.tone).not.toBe('success')
      expect(statusTextOf(status, since).heading).not.toMatch(/stands|genuine/)
      expect(statusTextOf(status, since).text).toContain('Do not rely on it')
    }
  })
  it('never calls a letter a forgery', { tags: ['LETTER-1'] }, () => {
    for (const status of letterLink.shape.status.options)
      expect(Object.values(statusTextOf(status, since)).join(' ')).not.toMatch(/fake|forge|false|fraud/i)
  })
})
