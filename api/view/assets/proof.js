// Verifies the proof of a proposal in the browser. It loads the verifier on demand and caches responses,
// so a second verification of the same data needs no network.
const root = new URL('..', import.meta.url)

const element = (name, text, className = '') => {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

const cached = new Map()

const request = async (path) => {
  const headers = { accept: 'application/json' }
  const response = await fetch(new URL(path.slice(1), root), { headers, redirect: 'error' })
  return { status: response.status, body: await response.json() }
}

const get = async (path) => {
  if (cached.has(path)) return cached.get(path)
  const response = await request(path)
  if (response.status === 200) cached.set(path, response)
  return response
}

const words = (status) => status.replaceAll('_', ' ')

const toResultView = ({ proposal, height, steps }) => {
  const { tally } = proposal
  const counted = tally
    ? `Final tally, in the smallest unit of the chain: yes ${tally.yes}, no ${tally.no}, abstain ${tally.abstain}, no with veto ${tally.noWithVeto}.`
    : 'The chain has stored no tally.'
  const list = document.createElement('ol')
  for (const { proves } of steps) list.append(element('li', proves))
  const details = document.createElement('details')
  details.append(element('summary', 'Steps of the proof'), list)
  const proved = `Proved: the chain itself says that proposal ${proposal.id} has the status “${words(proposal.status)}”.`
  return [element('h3', proved), element('p', `${counted} As of block ${height}.`), details]
}

/** Distinguishes a proof that is not valid from data that is missing. */
const toFailureView = (error) => {
  if (error.name !== 'ProofError') {
    return 'Nothing was verified: the data could not be loaded. Check the connection, and try again.'
  }
  const isMissing = error.code === 'unavailable' || error.code === 'trusted_unknown'
  return `${isMissing ? 'Nothing was verified' : 'The proof is not valid'}: ${error.message}`
}

const show = (...content) => document.getElementById('proof-result').replaceChildren(...content)

let isRunning = false
const verify = async ({ proposal, round, verifier }, { height, hash }) => {
  if (isRunning) return
  isRunning = true
  show(element('p', 'Verifying the proof …'))
  try {
    const { verifyFromApi } = await import(verifier)
    const trusted = { height: BigInt(height), hash }
    const about = { proposalId: BigInt(proposal), round: Number(round), trusted }
    show(...toResultView(await verifyFromApi(get, about)))
  } catch (error) {
    show(element('p', toFailureView(error), 'mistake'))
  } finally {
    isRunning = false
  }
}

/** Also called for a fetched page before it is patched in. */
const enable = (page) => {
  const form = page.getElementById('proof-form')
  if (form) form.hidden = false
}

/** Of what was pasted, before the browser checks it. */
document.addEventListener('input', ({ target }) => {
  if (target.form?.id !== 'proof-form') return
  target.value = target.value.trim()
  // The earlier result was for other input.
  show()
})
// The browser sends no form whose fields are not valid: it says what is wrong.
document.addEventListener('submit', (event) => {
  if (event.target.id !== 'proof-form') return
  event.preventDefault()
  const [height, hash] = ['proof-height', 'proof-hash'].map((id) => document.getElementById(id))
  void verify(event.target.dataset, { height: height.value, hash: hash.value })
})
document.addEventListener('rollcall:incoming', ({ detail }) => enable(detail))
enable(document)
