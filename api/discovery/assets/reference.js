// Starts Scalar on the OpenAPI document of this service. The policy of the page allows no inline style:
// what Scalar writes as one is applied through style sheets and declarations of the document.

const createElement = document.createElement.bind(document)

/** A `style` element as a block of data, whose text becomes a style sheet of the document. */
const createStyle = () => {
  const block = createElement('script')
  block.type = 'text/css'
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  const adopt = () => sheet.replaceSync(block.textContent)
  new MutationObserver(adopt).observe(block, {
    childList: true,
    characterData: true,
    subtree: true,
  })
  return block
}

document.createElement = (name, options) =>
  name === 'style' ? createStyle() : createElement(name, options)

document.addEventListener('securitypolicyviolation', ({ target }) => {
  const declarations = target instanceof Element && target.getAttribute('style')
  if (declarations) target.style.cssText = declarations
})

const page = document.querySelector('#reference')
const { root, scalar, openapi } = page.dataset
await import(scalar)
window.Scalar.createApiReference(page, {
  url: openapi,
  // The console asks this service under the address of the page, the only one that the policy allows.
  servers: [{ url: window.location.origin + root }],
  // Left are curl, `fetch` in a browser and in Node, and the client of Python itself.
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    go: true,
    http: true,
    java: true,
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    kotlin: true,
    node: ['axios', 'fetch', 'ofetch'],
    objc: true,
    ocaml: true,
    php: true,
    powershell: true,
    python: ['aiohttp', 'httpx_async', 'httpx_sync', 'requests'],
    r: true,
    ruby: true,
    rust: true,
    shell: ['httpie', 'wget'],
    swift: true,
  },
  // Nothing is loaded from, or sent to, another host.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
})
