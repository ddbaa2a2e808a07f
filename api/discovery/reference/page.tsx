// `/docs`: the API reference. Scalar shows the OpenAPI document, with a console and examples for each operation. Pure.
import { API_PATHS } from '../../../auth/contract/service.ts'
import { type Asset, ICON, readAsset } from '../../../infra/base/html/asset.ts'
import {
  PAGE_HEADERS,
  PageHead,
  SiteNavigation,
  toRootPath,
} from '../../../infra/base/html/page-frame.tsx'
import { renderPage } from '../../../infra/base/html/render.tsx'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import type { About, DiscoveryDocument } from '../documents.ts'
import { DESCRIPTION, TITLE } from '../openapi/document.ts'

const SCALAR = readAsset('api/discovery/assets/scalar.js')
const SCRIPT = readAsset('api/discovery/assets/reference.js')
const SHEET = readAsset('api/discovery/assets/reference.css')

export const REFERENCE_ASSETS: readonly Asset[] = [SCALAR, SCRIPT, SHEET]

const [SUMMARY = ''] = DESCRIPTION.split('\n\n')

/** The style sheet of the site is not loaded: it would change what Scalar shows. */
const write = ({ service, isDemo }: About): string => {
  const root = toRootPath(service.issuer)
  const openapi = root + API_PATHS.openapi
  const formats = (
    <>
      <a href={openapi}>OpenAPI</a> <a href={root + API_PATHS.llms}>llms.txt</a>
    </>
  )
  return renderPage(
    <html lang="en">
      <head>
        <PageHead title="API reference" icon={root + ICON.path} />
        <meta name="description" content={SUMMARY} />
        <link rel="alternate" type="application/json" href={openapi} />
        <link rel="stylesheet" href={root + SHEET.path} />
        <script type="module" src={root + SCRIPT.path} />
      </head>
      <body>
        <header class="site">
          <SiteNavigation root={root} here={API_PATHS.docs} />
          <p class="formats">{formats}</p>
        </header>
        {isDemo && <p class="notice">{DEMO_NOTE}</p>}
        <div
          id="reference"
          data-root={root}
          data-scalar={root + SCALAR.path}
          data-openapi={openapi}
        >
          <main>
            <h1>{TITLE}</h1>
            <p>{SUMMARY}</p>
            <p>This page needs a script. Without it: the same as {formats}.</p>
          </main>
        </div>
      </body>
    </html>,
  )
}

export const referencePage: DiscoveryDocument = {
  path: API_PATHS.docs,
  type: 'text/html; charset=utf-8',
  maxAgeSeconds: 300,
  headers: () => PAGE_HEADERS,
  write,
}
