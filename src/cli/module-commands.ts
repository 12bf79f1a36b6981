import { Option, type Command } from 'commander';
import type { CommandContext, CommandDefinition, CommandGroup } from '../kernel/declare/command.ts';
import type { Flags } from './with-site.ts';

/** Adds the commands that modules declare; returns those that can be run. */
export function addModuleCommands(
  program: Command,
  declared: readonly (CommandDefinition | CommandGroup)[],
): Command[] {
  return declared.flatMap((one) => {
    if (!('commands' in one)) return [addCommand(program, one)];
    const group = program.command(one.name).description(one.description);
    return one.commands.map((command) => addCommand(group, command));
  });
}

function addCommand(parent: Command, definition: CommandDefinition): Command {
  const command = parent.command(definition.name).description(definition.description);
  for (const { name, help } of definition.arguments ?? []) command.argument(name, help);
  for (const option of definition.options ?? []) {
    const added = new Option(option.flags, option.help);
    if (option.isRequired) added.makeOptionMandatory();
    if (option.choices) added.choices(option.choices);
    if (option.default !== undefined) added.default(option.default);
    command.addOption(added);
  }
  if (definition.notes !== undefined) command.addHelpText('after', `\n${definition.notes}`);
  const { length } = definition.arguments ?? [];
  return command.action((...given: unknown[]) => {
    const args = given.slice(0, length) as (string | undefined)[];
    const flags = given[length ?? 0] as Flags;
    return definition.run(contextOf(flags), flags, ...args);
  });
}

function contextOf(flags: Flags): CommandContext {
  return {
    withSite: async (work, options) =>
      (await import('./with-site.ts')).withSite(flags, work, options),
    print: (value, text) => console.log(flags.json ? JSON.stringify(value, null, 2) : text()),
  };
}
