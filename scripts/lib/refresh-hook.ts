// This module must be imported before React's renderer, which registers with the hook only once.
import { injectIntoGlobalHook } from 'react-refresh/runtime'

injectIntoGlobalHook(window)
