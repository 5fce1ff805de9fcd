/**
 * Why a release cannot be used by the shell, by the code that the refusal names. docs/shipping.md has a row for each.
 * @type {Record<string, string>}
 */
export const moduleReasons = {
  'does-not-load': 'its files are missing, altered, or throw when the shell loads them',
  'never-loads': 'it does not finish loading',
  'invalid-module': 'what it exposes is not what the dashboard can use',
  'global-style': 'its styles would change the shell and other micro-frontends',
  'icon-fails': 'an icon of its navigation cannot be drawn',
  'address-taken': 'another micro-frontend has this address in the dashboard',
}
