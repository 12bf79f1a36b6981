import Type, { type Static } from 'typebox';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { CommandError, exitCodes } from '../../kernel/declare/command.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { CurrencyCode, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { affiliateSystems } from '../../shared/affiliate-systems.ts';
import type { Language } from '../../shared/languages.ts';
import { languageOf } from '../web/index.ts';
import { importKinds } from './csv/import-kinds.ts';
import { csvKinds, runCsv, type CsvKind } from './csv/run-csv.ts';
import { standardSentence } from './from/apply-rules.ts';
import { readTextInTurns, type SourceFile } from './from/read-file.ts';
import { lineOutcomes, type ReportedLine } from './from/reported-line.ts';
import { columnName } from './from/row.ts';
import { runImport, type ImportResult } from './from/run-import.ts';
import { systems } from './from/systems.ts';
import { findImportToChange } from './import-rows.ts';
import { ImportSchema, toImport } from './import-wire.ts';

/** A request ends before a proxy gives up; the same request goes on with the rest. */
const REQUEST_MS = 5_000;
const DRY_RUN_MS = 50_000;
const FILES_CHARACTERS_MAX = 2_000_000;
/** Reasons that the answer lists. */
const LINES_MAX = 200;

export const importRefused = defineError(
  'svc_api_import_refused',
  409,
  'Another request or command is working on this import.',
);

const Body = Type.Object(
  {
    source: StringEnum([...csvKinds, ...affiliateSystems], {
      description:
        '`orders`, `affiliates`, `coupons`: CSV with the columns of the API. Otherwise the system that has exported ' +
        'the files.',
    }),
    files: Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        content: Type.String({
          minLength: 1,
          maxLength: FILES_CHARACTERS_MAX,
          contentMediaType: 'text/csv',
          examples: [
            'order_id,date,status,subtotal,total\n990001,2026-01-10T10:00:00,pending,10,10\n',
          ],
        }),
      }),
      {
        minItems: 1,
        maxItems: 10,
        description: 'The files as text, 2 MB together; 1 MB if the body is JSON and not a form.',
      },
    ),
    invite: Type.Boolean({
      default: false,
      description: 'Emails an invitation to each affiliate that another system brings.',
    }),
    dry_run: Type.Boolean({ default: false, description: 'Checks every line, and keeps nothing.' }),
  },
  { $id: 'ImportFiles' },
);

const StepSchema = Type.Object(
  {
    import: Nullable(ImportSchema),
    share: Type.Number({
      description: 'What is done of it, 1 if all is. Below 1, send the same request again.',
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The file.' }),
        lines: Type.Integer(),
        used: Type.Array(Type.String(), { description: 'Columns that are imported.' }),
        unused: Type.Array(Type.String(), { description: 'Columns that are left out.' }),
      }),
    ),
    counts: Type.Object(
      Object.fromEntries(lineOutcomes.map((name) => [name, Type.Integer()])) as Record<
        (typeof lineOutcomes)[number],
        ReturnType<typeof Type.Integer>
      >,
      { description: 'Lines by what becomes of them.' },
    ),
    lines: Type.Array(
      Type.Object({
        file: Type.String(),
        line: Type.Integer(),
        outcome: StringEnum(lineOutcomes),
        message: Type.String(),
      }),
      { description: `Lines with a reason, the first ${LINES_MAX}.` },
    ),
    opening_balance: Type.Number({ description: 'What is added to balances.' }),
    currency: CurrencyCode,
    rules: Type.Array(
      Type.Object({
        sentence: Type.String({ description: "The rule, in the reader's language." }),
        outcome: StringEnum(['new', 'known'], {
          description: '`known`: an equal rule is there, and no other is made.',
        }),
        is_hidden: Type.Boolean({ description: 'A rule above always decides before it.' }),
      }),
      { description: 'Reward rules that the rates in the files make, in their order.' },
    ),
    standard_rate: Nullable(
      Type.String({
        description:
          "What the other system pays where no rule applies, as a sentence. Set it as the store's rate; nothing is made of it.",
      }),
    ),
    own_rates_unknown: Type.Boolean({
      description:
        'The affiliates have rates that are left out, because no file says what the standard rate is.',
    }),
  },
  {
    $id: 'ImportStep',
    examples: [
      {
        import: null,
        share: 1,
        columns: [{ name: 'people.csv', lines: 2, used: ['login', 'email'], unused: ['Notes'] }],
        counts: { new: 1, known: 0, changed: 0, skipped: 0, refused: 1 },
        lines: [
          { file: 'people.csv', line: 3, outcome: 'refused', message: 'email must be an address' },
        ],
        opening_balance: 0,
        currency: 'USD',
        rules: [],
        standard_rate: null,
        own_rates_unknown: false,
      },
    ],
  },
);

export const importFiles = operation({
  method: 'POST',
  namespace: 'store',
  path: '/imports',
  summary: 'Import files, or check them',
  description:
    'CSV of orders, affiliates or coupons, or the files of another system. A request imports for some seconds and ' +
    'says what share is done: the same request goes on with it, also after an interruption. Except for a dry run, a ' +
    'session needs a recent proof. Larger files: the command line.',
  access: 'plugin-admin',
  scope: 'manage',
  long: true,
  proof: ({ dry_run }) => !dry_run,
  body: Body,
  upload: { content: 'files', isList: true, isText: true, bytesMax: FILES_CHARACTERS_MAX },
  example: {
    body: {
      source: 'affiliates',
      files: [
        { name: 'people.csv', content: 'login,email,Notes\nmaya,maya@example.com,\nsam,sam,\n' },
      ],
      dry_run: true,
    },
  },
  response: StepSchema,
  transaction: false,
  errors: [importRefused],
  async handle({ site, caller, request }, { source, files, invite, dry_run: dryRun }) {
    const sources = await sourcesOf(files);
    const run = {
      dryRun,
      runBy: caller.person?.login ?? '',
      untilMs: Date.now() + (dryRun ? DRY_RUN_MS : REQUEST_MS),
    };
    const result = await refusing(() => {
      const system = systems.find(({ name }) => name === source);
      if (system) return runImport(site, system, sources, { ...run, invite });
      // The other sources are the kinds.
      return runCsv(site, source as CsvKind, withColumns(source as CsvKind, sources), {
        ...run,
        userId: actorId(caller),
      });
    });
    return toStep(site, sources, result, languageOf(site, request));
  },
});

/** The same order whatever order they are given in, as an import is found again by its files. */
async function sourcesOf(files: Static<typeof Body>['files']): Promise<SourceFile[]> {
  try {
    const read = await Promise.all(
      files.map(({ name, content }) => readTextInTurns(name, content)),
    );
    return read.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (error instanceof CommandError) throw invalidParameter('files', error.message);
    throw error;
  }
}

function withColumns(kind: CsvKind, sources: SourceFile[]): SourceFile[] {
  const { columns } = importKinds[kind];
  for (const { name, columns: own } of sources) {
    if (own.some((column) => columns.includes(columnName(column)))) continue;
    throw invalidParameter(
      'files',
      `${name} has none of the columns of ${kind}: ${columns.join(', ')}`,
    );
  }
  return sources;
}

/** A file that cannot be used is an invalid parameter. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.exitCode === exitCodes.refused)
      throw new ApiError(importRefused, { message: error.message });
    throw invalidParameter('files', error.message);
  }
}

async function toStep(
  site: Site,
  sources: readonly SourceFile[],
  result: ImportResult,
  language: Language,
) {
  const { id, lines, share, opening, rules, rates } = result;
  const row =
    id === null
      ? undefined
      : await site.database.transaction((tx) => findImportToChange(tx, { id }));
  const counts = { new: 0, known: 0, changed: 0, skipped: 0, refused: 0 };
  for (const { outcome } of lines) if (outcome) counts[outcome] += 1;
  return {
    import: row ? toImport(row, site) : null,
    share,
    columns: sources.map(({ name, rows, columns, used }) => ({
      name,
      lines: rows.length,
      used: columns.filter((column) => used.has(columnName(column))),
      unused: columns.filter((column) => !used.has(columnName(column))),
    })),
    counts,
    lines: lines
      .filter(({ messages }) => messages.length > 0)
      .slice(0, LINES_MAX)
      .map(toLine),
    opening_balance: site.currency.toMajor(opening),
    currency: site.currency.code,
    rules: rules.map(({ sentence, outcome, isHidden }) => ({
      sentence: sentence(language),
      outcome,
      is_hidden: isHidden,
    })),
    standard_rate: rates?.standard ? standardSentence(rates.standard, language, site) : null,
    own_rates_unknown: rates?.isOwnUnknown ?? false,
  };
}

function toLine({ file, line, outcome, messages }: ReportedLine) {
  return { file, line, outcome: outcome ?? ('known' as const), message: messages.join('; ') };
}
