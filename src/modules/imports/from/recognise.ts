import { CommandError } from '../../../kernel/declare/command.ts';
import type { SourceFile } from './read-file.ts';
import { columnName } from './row.ts';
import type { FileShape, System } from './system.ts';

/** Finds out which of the system's files this is. An unknown file is refused with the columns that it could have. */
export function recognise(system: System, source: SourceFile): FileShape {
  const columns = new Set(source.columns.map(columnName));
  const shape = system.files.find(({ needs }) => needs.every((need) => has(columns, need)));
  if (shape) return shape;
  const expected = system.files.map(
    ({ name, needs }) =>
      `  ${name}: ${needs.map((need) => need.replaceAll('|', ' or ')).join(', ')}`,
  );
  throw new CommandError(
    'usage',
    `${source.name} is none of the files of ${system.title} that can be imported. ` +
      `It has the columns ${source.columns.join(', ') || '(none)'}. Expected are at least:\n` +
      expected.join('\n'),
  );
}

function has(columns: ReadonlySet<string>, need: string): boolean {
  return need.split('|').some((name) => columns.has(columnName(name)));
}
