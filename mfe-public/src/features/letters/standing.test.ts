import { letterLink } from '@portal/contract/letter'
import { describe, expect, it } from 'vitest'
import { standingOf } from './standing.ts'

describe('standingOf', () => {
  it('has words of its own for every status the contract knows', () => {
    const headings = letterLink.shape.status.options.map(status => standingOf(status).heading)
    expect(new Set(headings).size).toBe(headings.length)
  })
  it('says that a letter stands only for a valid one', () => {
    expect(standingOf('valid').display.tone).toBe('success')
    for (const status of ['withdrawn', 'superseded'] as const) {
      expect(standingOf(status).display.tone).not.toBe('success')
      expect(standingOf(status).heading).not.toMatch(/stands/)
    }
  })
})
