import { describe, expect, test } from 'vitest'
import { composeInvitationMail } from './invitation-mail.ts'
import {
  composeAddressChangedMail,
  composeAlreadyRegisteredMail,
  composePasswordChangedMail,
  composeResetPasswordMail,
  composeVerifyAddressMail,
} from './templates.ts'

const sender = {
  institution: 'Ìmọ́lẹ̀ University <Registry> & Co',
  supportEmail: 'records@imole.test',
  publicUrl: 'https://verify.imole.test',
}
const recipient = { email: 'a@users.test', firstname: `<img src=x onerror="alert(1)">'&\r\nBcc: x@y.test` }
const mails = {
  verify: composeVerifyAddressMail(sender, recipient, 'tok-1'),
  alreadyRegistered: composeAlreadyRegisteredMail(sender, recipient, undefined),
  alreadyRegisteredUnverified: composeAlreadyRegisteredMail(sender, recipient, 'tok-2'),
  reset: composeResetPasswordMail(sender, recipient, 'tok-3'),
  passwordChanged: composePasswordChangedMail(sender, recipient),
  createdByStaff: composeVerifyAddressMail(sender, recipient, 'tok-4', 'created-by-staff'),
  invited: composeInvitationMail(sender, { ...recipient, role: 'admin' }, 'tok-6'),
  addressChanged: composeVerifyAddressMail(sender, recipient, 'tok-5', 'address-changed'),
  addressChangedNotice: composeAddressChangedMail(sender, recipient, 'zainab@company.test'),
}

/** These omit the name, because a stranger could choose it and have the mail sent to someone else. */
const mailsWithoutName = new Set([
  'verify',
  'alreadyRegistered',
  'alreadyRegisteredUnverified',
  'reset',
  'createdByStaff',
  'invited',
  'addressChanged',
])

describe.each(Object.entries(mails))('the mail %s', (name, mail) => {
  test('goes to the address of the account, with a subject of one line', () => {
    expect(mail.to).toBe('a@users.test')
    expect(mail.subject).toMatch(/^[\w ]+$/)
  })

  test('escapes every value in its HTML', () => {
    expect(mail.html).not.toContain('<img')
    if (!mailsWithoutName.has(name))
      expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp; Bcc: x@y.test')
    expect(mail.html).toContain('Ìmọ́lẹ̀ University &lt;Registry&gt; &amp; Co')
    expect(mail.html).not.toMatch(/<script|<link|<style|undefined|\[object/)
  })

  test('has a plain-text version with the same content, and no value can add a line to it', {
    tags: ['DATA-29'],
  }, () => {
    expect(mail.text.split('\n')[0]).toBe(
      mailsWithoutName.has(name) ? 'Hello,' : `Hello <img src=x onerror="alert(1)">'& Bcc: x@y.test,`,
    )
    if (mailsWithoutName.has(name)) expect(mail.text + mail.html).not.toMatch(/onerror|Bcc/)
    expect(mail.text).toContain('records@imole.test')
    const links = (body: string) => new Set(body.match(/https:\/\/[^\s"<]+/g))
    for (const link of links(mail.text)) expect(mail.html).toContain(link)
  })
})

test('the links in mails lead to the pages of the portal', () => {
  expect(mails.verify.text).toContain('https://verify.imole.test/verify-email/tok-1')
  expect(mails.verify.html).toContain('href="https://verify.imole.test/verify-email/tok-1"')
  expect(mails.alreadyRegisteredUnverified.text).toContain('https://verify.imole.test/verify-email/tok-2')
  expect(mails.alreadyRegistered.text).not.toContain('verify-email')
  expect(mails.reset.text).toContain('https://verify.imole.test/reset-password/tok-3')
  expect(mails.invited.text).toContain('https://verify.imole.test/reset-password/tok-6')
  expect(mails.passwordChanged.text).not.toMatch(/reset-password|verify-email/)
})

test('an account that staff created, or whose address they changed, is not thanked for registering', () => {
  expect(mails.createdByStaff.text).toMatch(
    /<Registry> & Co created an account for you.*password you were given/,
  )
  expect(mails.addressChanged.text).toContain('was changed to this one')
  for (const mail of [mails.createdByStaff, mails.addressChanged])
    expect(mail.text).not.toContain('Thank you for creating')
  expect(mails.addressChangedNotice.text).toContain('to z…@company.test.')
})

test('mails with a link state how long it is valid', () => {
  expect(mails.verify.text).toContain('24 hours')
  expect(mails.reset.text).toContain('one hour')
  expect(mails.invited.text).toContain('3 days')
})

test('a mail uses the institution’s colour, or deep green by default', () => {
  const html = (accent?: string) =>
    composeResetPasswordMail({ ...sender, ...(accent !== undefined && { accent }) }, recipient, 'tok').html
  expect(html()).toContain('bgcolor="#0e5b3f"')
  expect(html('#7a1f3d')).toContain('bgcolor="#7a1f3d"')
  expect(html('#7a1f3d')).not.toContain('#0e5b3f')
})
