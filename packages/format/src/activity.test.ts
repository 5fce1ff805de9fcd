import { describe, expect, it } from 'vitest'
import { activityStatuses, activityTypes, actorOf, classifyActivity, formatDetails } from './activity.ts'

it('returns the email address of an entry, a placeholder if its account was erased, or "System" if it has neither', () => {
  const email = 'ada@mail.example'
  expect(actorOf({ user_id: '7', user_email: email })).toBe(email)
  expect(actorOf({ user_id: null, user_email: email })).toBe(email)
  expect(actorOf({ user_id: '7', user_email: null })).toBe('Erased account')
  expect(actorOf({ user_id: null, user_email: null })).toBe('System')
})

it.each([
  ['UG/2019/00123: grade; version 2; 0123456789abcdef0123456789abcdef', 'UG/2019/00123: grade'],
  [
    'UG/2019/00123: student_name, graduation_date; 1 letter superseded; version 2; 0123456789abcdef0123456789abcdef',
    'UG/2019/00123: student name, graduation date; 1 letter superseded',
  ],
  [
    'ada@mail.example: firstname, phone; version 3; 0123456789abcdef0123456789abcdef',
    'ada@mail.example: first name, phone',
  ],
  ['student_name.csv: matric_number', 'student_name.csv: matric number'],
  ['Bulk edit; 2,000 changes; 0123456789abcdef0123456789abcdef', 'Bulk edit; 2,000 changes'],
  ['; version 1; 0123456789abcdef0123456789abcdef', ''],
  ['VER/2026/000123: valid', 'VER/2026/000123: valid'],
  ['0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
])('shows the details "%s" as "%s"', (details, expected) => {
  expect(formatDetails(details)).toBe(expected)
})

describe('classifyActivity', () => {
  it.each([
    ['Certificate verification started', 'verification', 'info', 'normal'],
    ['Certificate verification paid', 'verification', 'success', 'normal'],
    ['Certificates uploaded', 'upload', 'success', 'normal'],
    ['Payment does not match', 'payment', 'failed', 'normal'],
    ['Payment reversed', 'payment', 'warning', 'normal'],
    ['Certificate created', 'admin', 'success', 'normal'],
    ['Certificate deleted', 'admin', 'warning', 'critical'],
    ['Certificate restored', 'admin', 'info', 'normal'],
    ['Certificates changed in bulk', 'admin', 'success', 'normal'],
    ['Certificates deleted in bulk', 'admin', 'warning', 'critical'],
    ['Deleted certificates purged', 'admin', 'warning', 'critical'],
    ['Certificates updated by upload', 'upload', 'success', 'normal'],
    ['Organisation invitation declined', 'other', 'warning', 'normal'],
    ['Payment declined', 'payment', 'failed', 'normal'],
    ['Verification fee updated', 'admin', 'success', 'normal'],
    ['User login', 'user', 'success', 'info'],
    ['User logout', 'user', 'success', 'normal'],
    ['Login failed', 'user', 'failed', 'critical'],
    ['User disabled', 'user', 'warning', 'critical'],
    ['Email verified', 'user', 'success', 'normal'],
    ['Verification email requested', 'user', 'info', 'normal'],
    ['Password reset requested', 'user', 'warning', 'warning'],
    ['Password changed', 'user', 'success', 'warning'],
    ['User registered', 'user', 'success', 'normal'],
    ['Front end released', 'admin', 'success', 'normal'],
    ['Front end promoted to everyone', 'admin', 'success', 'normal'],
    ['Front end rolled back', 'admin', 'warning', 'normal'],
    ['Front end canary withdrawn', 'admin', 'warning', 'normal'],
    ['Front end release deleted', 'admin', 'warning', 'critical'],
    ['Night work', 'other', 'info', 'normal'],
  ])('classifies "%s" as %s, %s, %s, ignoring case', (activity, type, status, severity) => {
    expect(classifyActivity(activity)).toEqual({ type, status, severity })
    expect(classifyActivity(activity.toUpperCase())).toEqual({ type, status, severity })
  })

  it('determines the severity by the keywords of the specification, of which the most severe applies', {
    tags: ['STAFF-16'],
  }, () => {
    for (const word of ['delete', 'disable', 'failed', 'error', 'blocked'])
      expect(classifyActivity(`${word} password login`).severity).toBe('critical')
    for (const word of ['password', 'reset', 'verify', 'admin'])
      expect(classifyActivity(`${word} login`).severity).toBe('warning')
    for (const word of ['login', 'view', 'download', 'export'])
      expect(classifyActivity(word).severity).toBe('info')
  })

  it('can return every type and status', () => {
    const activities = [
      'certificate',
      'upload',
      'payment',
      'user',
      'admin',
      'x failed',
      'x warning',
      'x success',
    ]
    const classifications = activities.map(classifyActivity)
    expect(new Set(classifications.map(({ type }) => type))).toEqual(new Set(activityTypes))
    expect(new Set(classifications.map(({ status }) => status))).toEqual(new Set(activityStatuses))
  })
})
