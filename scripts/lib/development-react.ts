// Served by a developer's server, and loaded by the page of an override before the shell: React's development build, which
// supports hot reload, in place of the shell's (scripts/lib/react-loader.mjs).
import './refresh-hook.ts'
import '../../shell/src/dev-hook.ts'
import * as react from 'react'
import * as reactDom from 'react-dom'
import * as reactDomClient from 'react-dom/client'

Object.assign(globalThis, {
  portalReact: { react, 'react-dom': reactDom, 'react-dom-client': reactDomClient },
})
