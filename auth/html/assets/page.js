// The claim page: shows the claim, connects a wallet, and shows the result. The URL keeps the token after the # until the
// end, so that the user can install a wallet and load the page again.
import { createManualWay } from './manual.js'
import { createService, Refusal } from './service.js'
import {
  byId,
  clearProblem,
  copyText,
  isWaiting,
  say,
  setText,
  setWaiting,
  showEnd,
  showProblem,
  showStep,
  showTime,
  startCountdown,
  wordsOf,
} from './view.js'
import { connectWallet, installedWallets, signWith, untilComplete, WALLETS } from './wallets.js'

const token = new URLSearchParams(location.hash.slice(1)).get('claim_attempt_token')
const ask = createService(token)

/** `run` numbers the actions: results of earlier ones are dropped. */
const state = { run: 0, isOver: false, isSending: false, chains: [], loginHint: null }
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
  const code = error instanceof Refusal ? error.code : 'unexpected'
  const { what, next, isFinal } = wordsOf(code)
  setWaiting('')
  if (isFinal) end({ kind: 'over', what, next })
  else showProblem({ code, detail: error instanceof Refusal ? error.detail : String(error) })
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

const chosenChain = () => state.chains.find(({ chain_id: id }) => id === byId('chain').value)

/** A sent signature counts, even if the account of the wallet has changed since. */
const complete = async (signer, signed) => {
  state.isSending = true
  try {
    const claimed = await ask('complete', { ...signer, ...signed })
    end({
      kind: 'claimed',
      what: 'Claimed. This agent is yours.',
      next: 'You can close this page: your agent gets its new token within seconds.',
      facts: [
        ['Registration', claimed.registration_id],
        ['Address', claimed.address],
        ['Chain', claimed.chain_id],
      ],
    })
  } finally {
    state.isSending = false
  }
}

const deny = () =>
  withProgress('Refusing the claim…', async () => {
    await ask('deny')
    end({
      kind: 'denied',
      what: 'Refused. Nothing was claimed.',
      next: 'This claim can no longer be completed. Your agent gets the refusal. You can close this page.',
    })
  })

const showAccount = ({ wallet, account, request, isChanged }) => {
  state.connected = { wallet, request }
  setText('account', account.name ? `${account.name} in ${wallet.name}` : wallet.name)
  setText('account-address', account.address)
  setText('text', request.text)
  setText('sign-now', `Sign with ${wallet.name} and claim`)
  showStep('sign')
  setText('changed', isChanged ? `The account in ${wallet.name} changed. This is the new one.` : '')
  say(isChanged ? byId('changed').textContent : 'Connected. Review the text, then sign it.')
}

const connect = (wallet, isChanged = false) => {
  state.connected = undefined
  showStep('choose', { focus: false })
  const waiting = isChanged
    ? `The account in ${wallet.name} changed. Connecting the new one…`
    : `Waiting for ${wallet.name}. Its window may be behind this one.`
  return withProgress(waiting, async (isCurrent) => {
    const chain = chosenChain()
    // Kept even if connecting fails, because the user can switch the account in the wallet.
    state.wallet = wallet
    state.isConnecting = true
    try {
      const account = await connectWallet(wallet, chain, state.loginHint)
      if (!isCurrent()) return
      const signer = { chain_id: chain.chain_id, address: account.address }
      const request = await ask('text', signer)
      if (isCurrent()) showAccount({ wallet, account, request, isChanged })
    } finally {
      if (isCurrent()) state.isConnecting = false
    }
  })
}

const sign = () => {
  const { wallet, request } = state.connected
  return withProgress(
    `Waiting for ${wallet.name}. Its window may be behind this one.`,
    async (isCurrent) => {
      const signed = await signWith(wallet, request)
      if (!isCurrent()) return
      await complete({ chain_id: request.chain_id, address: request.signer }, signed)
    },
  )
}

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
  return wallets.length
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
  stopCountdown = startCountdown(attempt, () => fail(new Refusal('claim_expired')))
  byId('attempt').hidden = false
  showStep('compare', { focus: false })
  say('An agent asks you to claim it.')
}

const load = async () => {
  if (!token) throw new Refusal('no_token')
  const attempt = await ask('attempt')
  if (attempt.chains.length === 0) throw new Refusal('claim_not_enabled')
  showAttempt(attempt)
}

/** While the page was hidden, the agent may have started another claim, or the claim may have expired. */
const checkAttempt = async () => {
  if (document.visibilityState !== 'visible' || state.isOver || state.isSending) return
  if (byId('attempt').hidden) return
  await ask('attempt').catch((error) => {
    if (!state.isSending && wordsOf(error.code).isFinal) fail(error)
  })
}

const countText = (count) =>
  count === 0 ? 'No wallet was' : count === 1 ? 'One wallet was' : `${count} wallets were`

const onClick = (id, action) => byId(id).addEventListener('click', action)

const listen = () => {
  for (const button of document.querySelectorAll('.deny')) {
    // Ignores the second click of a double click on an earlier button in the same position.
    button.addEventListener('click', ({ detail }) => detail < 2 && deny())
  }
  onClick('confirm', async () => {
    await untilComplete()
    const count = showWallets()
    showStep('choose')
    say(`${countText(count)} found in this browser.`)
  })
  onClick('search-again', () => {
    const count = showWallets()
    say(`${countText(count)} found in this browser.`)
  })
  onClick('stop', stop)
  onClick('sign-now', () => !isWaiting() && sign())
  onClick('another', () => {
    stop()
    state.connected = undefined
    showStep('choose')
  })
  onClick('retry', () => start())
  for (const wallet of WALLETS) {
    window.addEventListener(wallet.changed, () => {
      const isOurs = wallet === state.wallet && !byId('attempt').hidden
      const isBusy = state.isConnecting || state.isSending || state.isOver
      if (isOurs && !isBusy) void connect(wallet, true)
    })
  }
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => copyText(button))
  }
  document.addEventListener('visibilitychange', checkAttempt)
  // Another claim link was opened in this tab.
  window.addEventListener('hashchange', () => location.reload())
  createManualWay({ ask, withProgress, complete, chosenChain, loginHint: () => state.loginHint })
}

const start = async () => {
  byId('retry').hidden = true
  clearProblem()
  say('Loading the claim…')
  try {
    await load()
  } catch (error) {
    fail(error)
    byId('retry').hidden = state.isOver
  }
}

listen()
await start()
