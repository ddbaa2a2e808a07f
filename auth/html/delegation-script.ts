// The script of the claim page: shows the attempt, asks for the text, sends what was signed. Holds the token in memory alone.

export const DELEGATION_SCRIPT = `'use strict'
const byId = (id) => document.getElementById(id)
const token = new URLSearchParams(location.hash.slice(1)).get('claim_attempt_token')
history.replaceState(null, '', location.pathname)

const say = (text) => { byId('status').textContent = text }
const ask = async (step, body = {}) => {
  const response = await fetch('delegation/' + step, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claim_attempt_token: token, ...body }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error_description || answer.error)
  return answer
}
const attempting = (action) => async (event) => {
  event.preventDefault()
  try { await action() } catch (error) { say(error.message) }
}
const end = (text) => { byId('attempt').hidden = true; say(text) }
const signer = () => ({ chain_id: byId('chain').value, address: byId('address').value.trim() })

const show = async () => {
  const attempt = await ask('attempt')
  byId('registration').textContent = attempt.registration_id
  byId('registered').textContent = attempt.registered_at
  byId('client').textContent = attempt.client_name || 'nothing'
  byId('code').textContent = attempt.user_code
  byId('ends').textContent = attempt.expires_at
  for (const { chain_id } of attempt.chains) byId('chain').append(new Option(chain_id, chain_id))
  byId('address').value = attempt.login_hint || ''
  byId('address').readOnly = attempt.login_hint !== null
  byId('attempt').hidden = false
  say('An agent asks to be claimed by you.')
}

byId('signer').addEventListener('submit', attempting(async () => {
  const { text } = await ask('text', signer())
  byId('text').textContent = text
  byId('signing').hidden = false
  say('Sign the text with the key of that address.')
}))
byId('signed').addEventListener('submit', attempting(async () => {
  const { pub_key, signature } = JSON.parse(byId('answer').value)
  const claimed = await ask('complete', { ...signer(), pub_key, signature })
  end('Claimed by ' + claimed.address + '. You can close this page; your agent notices by itself.')
}))
byId('deny').addEventListener('click', attempting(async () => {
  await ask('deny')
  end('Refused. Nobody can complete this claim any more.')
}))
if (token) show().catch((error) => say(error.message))
`
