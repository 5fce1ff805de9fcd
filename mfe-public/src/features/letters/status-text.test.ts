import { letterLink } from '@portal/contract/letter'
import { describe, expect, it } from 'vitest'
import { statusTextOf } from './status-text.ts'

const since = '2026-03-14T12:00:00.000Z'

describe('statusTextOf', () => {
  it('has a text with a date for every status in the contract', () => {
    const all = letterLink.shape.status.options.map(status => statusTextOf(status, since))
    expect(new Set(all.map(({ heading }) => heading)).size).toBe(all.length)
    for (const { text } of all) expect(text).toContain('March 14, 2026')
  })
  it('calls only a valid letter valid', () => {
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
