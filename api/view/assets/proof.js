// Verifies the proof of a proposal in the browser. It loads the verifier on demand and caches responses,
// so a second verification of the same data needs no network.
const root = new URL('..', import.meta.url)

const FIELDS = {
  'proof-height': (text) => {
    if (text === '') return 'Enter the number of a block that you trust.'
    if (!/^[0-9]+$/.test(text)) return 'Enter the block in digits only, such as 1200000.'
    return /^[1-9][0-9]{0,14}$/.test(text) ? '' : 'Enter a block from 1 to 999999999999999.'
  },
  'proof-hash': (text) => {
    if (text === '') return 'Enter the hash of that block.'
    if (!/^[0-9A-Fa-f]*$/.test(text))
      return 'The hash of a block has only the digits 0 to 9 and the letters A to F.'
    return text.length === 64
      ? ''
      : `The hash of a block has 64 digits and letters, and this has ${text.length}.`
  },
}

const element = (name, text, className = '') => {
  const made = document.createElement(name)
  made.textContent = text
  if (className) made.className = className
  return made
}

/** Shows the message next to the field and links it for assistive technology. */
const showMistake = (input, mistake) => {
  const id = `${input.id}-mistake`
  document.getElementById(id)?.remove()
  input.toggleAttribute('aria-invalid', false)
  input.setAttribute('aria-describedby', mistake ? `${id} proof-hint` : 'proof-hint')
  if (!mistake) return
  input.setAttribute('aria-invalid', 'true')
  const message = element('span', mistake, 'mistake')
  message.id = id
  input.after(message)
}

/** Undefined if a field is not valid. The first such field gets the focus. */
const readForm = () => {
  const inputs = Object.keys(FIELDS).map((id) => document.getElementById(id))
  let wrong
  for (const input of inputs) {
    input.value = input.value.trim()
    const mistake = FIELDS[input.id](input.value)
    showMistake(input, mistake)
    if (mistake) wrong ??= input
  }
  wrong?.focus()
  const [height, hash] = inputs.map(({ value }) => value)
  return wrong ? undefined : { height, hash }
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
  if (!form) return
  form.hidden = false
  form.noValidate = true
}

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'proof-form') return
  event.preventDefault()
  const trusted = readForm()
  // Removes the earlier result, which was for other input.
  if (!trusted) return show()
  void verify(event.target.dataset, trusted)
})
document.addEventListener('rollcall:incoming', ({ detail }) => enable(detail))
enable(document)
