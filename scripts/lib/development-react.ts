// React's development build, which supports hot reload. A developer's server serves it, and the page of an override
// loads it before the shell, in place of the shell's build (scripts/lib/react-loader.mjs).
import './refresh-hook.ts'
import '../../shell/src/dev-hook.ts'
import * as react from 'react'
import * as reactDom from 'react-dom'
import * as reactDomClient from 'react-dom/client'

Object.assign(globalThis, {
  portalReact: { react, 'react-dom': reactDom, 'react-dom-client': reactDomClient },
})
