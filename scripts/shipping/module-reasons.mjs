/**
 * The reasons why the shell cannot use a release, by refusal code. docs/shipping.md documents each of them.
 * @type {Record<string, string>}
 */
export const moduleReasons = {
  'does-not-load': 'its files are missing, altered, or throw when the shell loads them',
  'never-loads': 'it does not finish loading',
  'invalid-module': 'the dashboard cannot use what it exposes',
  'global-style': 'its styles would change the shell and other micro-frontends',
  'icon-fails': 'an icon of its navigation cannot be rendered',
  'address-taken': 'another micro-frontend uses this address in the dashboard',
}
