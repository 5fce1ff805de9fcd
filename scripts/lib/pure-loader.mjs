// A loader for libraries that create components at the top level by calls that are not marked as pure, so that the minifier
// cannot remove unused ones. It marks these calls as pure and removes display names.

/** @param {string} source @returns {string} */
export default function markPure(source) {
  return source
    .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
}
