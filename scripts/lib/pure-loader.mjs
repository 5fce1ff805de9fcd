// A loader for libraries that make components at the top of a module without saying that this has no side effect: the
// minifier then keeps each of them, used or not. Names for developer tools go, calls are marked as pure.

/** @param {string} source @returns {string} */
export default function markPure(source) {
  return source
    .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
}
