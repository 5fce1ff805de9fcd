// Imported before React's renderer, which announces itself to the hook only once.
import { injectIntoGlobalHook } from 'react-refresh/runtime'

injectIntoGlobalHook(window)
