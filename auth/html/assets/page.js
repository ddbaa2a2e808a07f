// The claim page: shows the claim, connects a wallet, and shows the result. The URL keeps the token after the # until the
// end, so that the user can install a wallet and load the page again.
import { createService, Refusal } from './service.js'
import {
  byId,
  clearProblem,
  isWaiting,
  say,
  setText,
  setWaiting,
  showEnd,
  showProblem,
  showStep,
  showTime,
  startCountdown,
} from './view.js'
import { connectWallet, installedWallets, signWith, untilComplete } from './wallets.js'

const token = new URLSearchParams(location.hash.slice(1)).get('claim_attempt_token')
const ask = createService(token)

/** `run` numbers the actions: results of earlier ones are dropped. */
const state = { run: 0, isOver: false, chains: [], loginHint: null, connected: undefined }
let stopCountdown = () => {}

const end = (ending) => {
  if (state.isOver) return
  state.isOver = true
  stopCountdown()
  setWaiting('')
  history.replaceState(null, '', location.pathname)
  showEnd(ending)
}

const fail = (error) => {
  if (state.isOver) return
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal('unexpected', 'An unexpected error occurred.', String(error))
  const { message: what, next, detail, isFinal } = refusal
  setWaiting('')
  if (isFinal) end({ what, next })
  else showProblem({ what, next, detail })
}

/** Starts an action. A later action replaces it. */
const withProgress = async (text, action) => {
  state.run += 1
  const { run } = state
  const isCurrent = () => run === state.run && !state.isOver
  clearProblem()
  setWaiting(text)
  try {
    await action(isCurrent)
  } catch (error) {
    if (isCurrent()) fail(error)
  }
  if (isCurrent()) setWaiting('')
}

const stop = () => {
  state.run += 1
  setWaiting('')
}

const deny = () =>
  withProgress('Refusing the claim…', async () => {
    await ask('deny')
    end({
      what: 'Refused. Nothing was claimed.',
      next: 'This claim can no longer be completed. Your agent gets the refusal. You can close this page.',
    })
  })

const waitingFor = ({ name }) => `Waiting for ${name}. Its window may be behind this one.`

const connect = (wallet) =>
  withProgress(waitingFor(wallet), async (isCurrent) => {
    const chain = state.chains.find(({ chain_id: id }) => id === byId('chain').value)
    const { name, address } = await connectWallet(wallet, chain, state.loginHint)
    if (!isCurrent()) return
    const request = await ask('text', { chain_id: chain.chain_id, address })
    if (!isCurrent()) return
    state.connected = { wallet, request }
    setText('account', name ? `${name} in ${wallet.name}` : wallet.name)
    setText('account-address', address)
    setText('text', request.text)
    setText('sign-now', `Sign with ${wallet.name} and claim`)
    showStep('sign')
    say('Connected. Review the text, then sign it.')
  })

/** A signature that was sent counts. */
const sign = () => {
  const { wallet, request } = state.connected
  return withProgress(waitingFor(wallet), async (isCurrent) => {
    const signed = await signWith(wallet, request)
    if (!isCurrent()) return
    const signer = { chain_id: request.chain_id, address: request.signer }
    const claimed = await ask('complete', { ...signer, ...signed })
    end({
      what: 'Claimed. This agent is yours.',
      next: 'You can close this page: your agent gets its new token within seconds.',
      facts: [
        ['Registration', claimed.registration_id],
        ['Address', claimed.address],
        ['Chain', claimed.chain_id],
      ],
    })
  })
}

const countText = (count) =>
  count === 0 ? 'No wallet was' : count === 1 ? 'One wallet was' : `${count} wallets were`

const showWallets = () => {
  const wallets = installedWallets()
  byId('wallets').replaceChildren(
    ...wallets.map((wallet) => {
      const [item, button] = [document.createElement('li'), document.createElement('button')]
      button.type = 'button'
      button.textContent = `Connect ${wallet.name}`
      button.addEventListener('click', () => {
        if (!isWaiting()) void connect(wallet)
      })
      item.append(button)
      return item
    }),
  )
  byId('no-wallet').hidden = wallets.length > 0
  byId('manual').open = wallets.length === 0
  say(`${countText(wallets.length)} found in this browser.`)
}

const showAttempt = (attempt) => {
  state.chains = attempt.chains
  state.loginHint = attempt.login_hint
  setText('registration', attempt.registration_id)
  showTime('registered', attempt.registered_at)
  setText('client', attempt.client_name ?? 'none')
  setText('code', attempt.user_code)
  setText('code-again', attempt.user_code)
  setText('hint', attempt.login_hint ?? '')
  for (const part of document.querySelectorAll('.hinted')) part.hidden = !attempt.login_hint
  byId('chain').replaceChildren(...state.chains.map(({ chain_id: id }) => new Option(id, id)))
  byId('chain-choice').hidden = state.chains.length < 2
  stopCountdown = startCountdown(attempt, () =>
    fail(new Refusal('claim_expired', 'This claim has expired.')),
  )
  byId('attempt').hidden = false
  showStep('compare', { focus: false })
  say('An agent asks you to claim it.')
}

const onClick = (id, action) => byId(id).addEventListener('click', action)

const listen = () => {
  for (const button of document.querySelectorAll('.deny')) {
    // Ignores the second click of a double click on an earlier button in the same position.
    button.addEventListener('click', ({ detail }) => detail < 2 && deny())
  }
  onClick('confirm', async () => {
    await untilComplete()
    showStep('choose')
    showWallets()
  })
  onClick('search-again', showWallets)
  onClick('stop', stop)
  onClick('sign-now', () => !isWaiting() && sign())
  onClick('another', () => {
    stop()
    showStep('choose')
  })
  // Another claim link was opened in this tab.
  window.addEventListener('hashchange', () => location.reload())
}

const start = async () => {
  say('Loading the claim…')
  try {
    if (!token) throw new Refusal('no_token', 'This link has no claim.')
    const attempt = await ask('attempt')
    if (attempt.chains.length === 0) {
      throw new Refusal('claim_not_enabled', 'Claims are not enabled on this service.')
    }
    showAttempt(attempt)
  } catch (error) {
    fail(error)
  }
}

listen()
await start()
