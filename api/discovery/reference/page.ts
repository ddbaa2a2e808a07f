// `/docs`: the API reference. Scalar shows the OpenAPI document, with a console and examples for each operation. Pure.
import { API_PATHS } from '../../../auth/contract/service.ts'
import { type Asset, ICON, readAsset } from '../../../infra/base/html/asset.ts'
import { html, markupOf } from '../../../infra/base/html/html.ts'
import { PAGE_HEADERS, siteNavigation, toRootPath } from '../../../infra/base/html/page-frame.ts'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import type { About, Document } from '../documents.ts'
import { DESCRIPTION, TITLE } from '../openapi/document.ts'

const SCALAR = readAsset('api/discovery/assets/scalar.js')
const SCRIPT = readAsset('api/discovery/assets/reference.js')
const SHEET = readAsset('api/discovery/assets/reference.css')

export const REFERENCE_ASSETS: readonly Asset[] = [SCALAR, SCRIPT, SHEET]

const [SUMMARY = ''] = DESCRIPTION.split('\n\n')

/** The style sheet of the site is not loaded: it would change what Scalar shows. */
const write = ({ service, isDemo }: About): string => {
  const root = toRootPath(service.issuer)
  const formats = html`<a href="${root}${API_PATHS.openapi}">OpenAPI</a>
<a href="${root}${API_PATHS.llms}">llms.txt</a>`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Rollcall</title>
<meta name="description" content="${SUMMARY}">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${root}${ICON.path}">
<link rel="alternate" type="application/json" href="${root}${API_PATHS.openapi}">
<link rel="stylesheet" href="${root}${SHEET.path}">
<script type="module" src="${root}${SCRIPT.path}"></script>
</head>
<body>
<header class="site">${siteNavigation(root, API_PATHS.docs)}<p class="formats">${formats}</p></header>
${isDemo && html`<p class="notice">${DEMO_NOTE}</p>`}
<div id="reference" data-root="${root}" data-scalar="${root}${SCALAR.path}" \
data-openapi="${root}${API_PATHS.openapi}">
<main><h1>${TITLE}</h1>
<p>${SUMMARY}</p>
<p>This page needs a script. Without it: the same as ${formats}.</p></main>
</div>
</body>
</html>`
  return `${markupOf(page)}\n`
}

export const referencePage: Document = {
  path: API_PATHS.docs,
  type: 'text/html; charset=utf-8',
  maxAgeSeconds: 300,
  headers: () => PAGE_HEADERS,
  write,
}
