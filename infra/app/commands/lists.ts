// `rollcall commands` and `rollcall settings`: the lists behind the short help.
import { EXIT_CODE_MEANINGS } from '../../base/runtime/exit-codes.ts'
import { SETTINGS } from '../settings.ts'
import { type Command, refuseArguments } from './command.ts'
import { commandsText, settingsText } from './help.ts'

export const settingsList: Command = {
  name: 'settings',
  summary: 'list every setting, with its default',
  examples: [{ line: 'rollcall settings | grep PORT', description: 'find a setting' }],
  run: async (context) => {
    refuseArguments(context, settingsList)
    context.terminal.print(settingsText(SETTINGS))
    return 0
  },
}

/** `list` has all commands, this one included. */
export const createCommandsList = (list: () => readonly Command[]): Command => {
  const commandsList: Command = {
    name: 'commands',
    summary: 'list every command, with an example of each, and the exit codes',
    run: async (context) => {
      refuseArguments(context, commandsList)
      context.terminal.print(commandsText(list(), EXIT_CODE_MEANINGS))
      return 0
    },
  }
  return commandsList
}
