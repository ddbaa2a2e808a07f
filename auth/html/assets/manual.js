// Signing without a wallet in the browser: the user signs the text with another tool and pastes the output.
import { Refusal } from './service.js'
import { byId, isWaiting, say, setText } from './view.js'

const readAnswer = (pasted) => {
  try {
    const { pub_key: publicKey, signature } = JSON.parse(pasted)
    if (typeof publicKey.value === 'string' && typeof signature === 'string') {
      return { pub_key: { value: publicKey.value }, signature }
    }
  } catch {
    // Reported below.
  }
  throw new Refusal('answer_unreadable')
}

const onSubmit = (id, action) =>
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isWaiting()) action()
  })

export const createManualWay = ({ ask, withProgress, complete, chosenChain, loginHint }) => {
  let request

  const reset = () => {
    request = undefined
    byId('manual-text').hidden = true
  }
  const prepare = () => {
    const chain = chosenChain()
    const hint = loginHint()
    reset()
    setText('prefix', `${chain.address_prefix}1…`)
    setText('example-prefix', chain.address_prefix)
    byId('example-limits').hidden = chain.algorithm === 'secp256k1'
    byId('address').readOnly = hint !== null
    if (hint !== null) byId('address').value = hint
  }

  byId('manual').addEventListener('toggle', () => {
    if (byId('manual').open && !request) prepare()
  })
  byId('chain').addEventListener('change', prepare)
  byId('address').addEventListener('input', reset)
  onSubmit('manual-signer', () =>
    withProgress('Loading the text…', async (isCurrent) => {
      const signer = { chain_id: chosenChain().chain_id, address: byId('address').value.trim() }
      const answer = await ask('text', signer)
      if (!isCurrent()) return
      request = answer
      setText('manual-claim-text', answer.text)
      byId('manual-text').hidden = false
      say('The text to sign is below.')
      byId('manual-text-title').focus()
    }),
  )
  onSubmit('manual-signed', () =>
    withProgress('Sending the signature…', async () => {
      const signed = readAnswer(byId('answer').value)
      await complete({ chain_id: request.chain_id, address: request.signer }, signed)
    }),
  )
}
