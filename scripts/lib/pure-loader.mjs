// A loader for libraries that create components at the top level without marking the calls as pure, so that the minifier
// cannot remove unused ones. Marks the calls as pure and removes display names.

/** @param {string} source @returns {string} */
export default function markPure(source) {
  return source
    .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
}
