import './csp-setup.ts'
import '@portal/ui/tokens.css'
import '@portal/ui/fonts.css'
import { readTheme } from '@portal/ui/theme'
import '@scalar/api-reference/style.css'
import './page.css'
import { createApiReference } from '@scalar/api-reference'
import { correctButtonNames } from './accessible-names.ts'

const container = document.querySelector<HTMLElement>('#reference')
if (!container) throw new Error('api-reference.html has no #reference')

const DESCRIPTION_URL = '/api/openapi.json'
const theme = readTheme()
const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'

async function renderReference(root: HTMLElement): Promise<void> {
  const response = await fetch(DESCRIPTION_URL)
  if (!response.ok) throw new Error(`${DESCRIPTION_URL}: HTTP ${response.status}`)
  const content = await response.json()
  // The renderer would mistake any existing content for its own server-rendered page.
  root.replaceChildren()
  correctButtonNames(document.body)
  createApiReference(root, {
    content,
    defaultOpenAllTags: true,
    // The page's content security policy only allows calls to the origin that serves it.
    servers: [{ url: `${location.origin}/api`, description: 'This portal' }],
    authentication: { preferredSecurityScheme: 'session' },
    theme: 'none',
    withDefaultFonts: false,
    darkMode: isDark,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'direct',
    // The page shows samples in curl, fetch and Python; the TypeScript samples are part of the description.
    hiddenClients: {
      c: true,
      clojure: true,
      csharp: true,
      dart: true,
      fsharp: true,
      go: true,
      http: true,
      java: true,
      kotlin: true,
      node: true,
      objc: true,
      ocaml: true,
      php: true,
      powershell: true,
      r: true,
      ruby: true,
      rust: true,
      swift: true,
      js: ['xhr', 'axios', 'ofetch', 'jquery'],
      shell: ['httpie', 'wget'],
      python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
    },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    metaData: { title: 'API · Certificate Verification Portal' },
  })
}

renderReference(container).catch(error => {
  console.error(error)
  const note = container.querySelector('[role="status"]')
  if (note) note.textContent = 'The reference could not be loaded. Please reload the page.'
})
