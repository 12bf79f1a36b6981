import type { Site } from '../../../kernel/declare/site.ts';
import { countOf } from '../../../shared/count-of.ts';
import { textTable } from '../../../shared/text-table.ts';
import { codeParametersOf } from '../../clicks/index.ts';
import type { UndoResult } from '../undo/undo-import.ts';
import { standardSentence } from './apply-rules.ts';
import { lineOutcomes, type LineOutcome, type ReportedLine } from './reported-line.ts';
import type { ImportResult } from './run-import.ts';
import type { System } from './system.ts';

type Counts = Record<LineOutcome, number>;

/** The report as `--json` prints it. */
export interface ImportReport {
  import_id: number | null;
  system: string;
  dry_run: boolean;
  read: number;
  counts: Record<string, Counts>;
  opening_balance: number;
  pending_commission: number;
  currency: string;
  /** Reward rules that the rates in the files make. */
  rules: { sentence: string; outcome: string; is_hidden: boolean }[];
  /** What the old system pays where no rule applies; null if no file says it. */
  standard_rate: string | null;
  own_rates_unknown: boolean;
  /** The parameter of the old links. */
  link_parameter: string;
  /** What `attribution.code_parameters` must be for them to keep working; null if they do. */
  code_parameters: string[] | null;
  /** All lines of a dry run, otherwise those that have a message or were not used. */
  lines: { file: string; line: number; kind: string; outcome: LineOutcome; message: string }[];
}

export function reportOf(
  { site, system, dryRun }: { site: Site; system: System; dryRun: boolean },
  { id, lines, opening, pending, rules, rates }: ImportResult,
): ImportReport {
  const counts: Record<string, Counts> = {};
  for (const { kind, outcome } of lines) {
    counts[kind] ??= { new: 0, known: 0, changed: 0, skipped: 0, refused: 0 };
    counts[kind][outcome ?? 'known'] += 1;
  }
  const known = codeParametersOf(site);
  const told = lines.filter(
    ({ outcome }) => dryRun || outcome === 'refused' || outcome === 'skipped',
  );
  return {
    import_id: id,
    system: system.name,
    dry_run: dryRun,
    read: lines.length,
    counts,
    opening_balance: site.currency.toMajor(opening),
    pending_commission: site.currency.toMajor(pending),
    currency: site.currency.code,
    rules: rules.map(({ sentence, outcome, isHidden }) => ({
      sentence: sentence('en'),
      outcome,
      is_hidden: isHidden,
    })),
    standard_rate: rates?.standard ? standardSentence(rates.standard, 'en', site) : null,
    own_rates_unknown: rates?.isOwnUnknown ?? false,
    link_parameter: system.linkParameter,
    code_parameters: known.includes(system.linkParameter) ? null : [...known, system.linkParameter],
    lines: told.map(toReported),
  };
}

function toReported({ file, line, kind, outcome, messages }: ReportedLine) {
  return { file, line, kind, outcome: outcome ?? 'known', message: messages.join('; ') } as const;
}

export function describeImport(report: ImportReport, system: System): string {
  const { currency, import_id: id, dry_run: dryRun, lines } = report;
  const rows = Object.entries(report.counts).map(([kind, counts]) => [
    kind,
    ...lineOutcomes.map((outcome) => String(counts[outcome])),
  ]);
  return [
    ...lines.map(
      ({ file, line, kind, outcome, message }) =>
        `${file}:${line}  ${kind} ${outcome}${message && `: ${message}`}`,
    ),
    ...(lines.length > 0 ? [''] : []),
    `${countOf(report.read, 'line')} of ${system.title} read.`,
    textTable(['record', ...lineOutcomes], rows),
    '',
    `Opening balances: ${report.opening_balance} ${currency}.`,
    ...(report.pending_commission === 0
      ? []
      : [
          `${report.pending_commission} ${currency} waits for approval in ${system.title} and is not in the balances: ` +
            'export and import again once it is approved.',
        ]),
    ...describeRates(report, system),
    ...describeLinks(report),
    dryRun
      ? 'This was a dry run: nothing was kept.'
      : `This is import ${id}. Undo it with: ./tributary import --undo ${id}`,
  ].join('\n');
}

function describeRates(report: ImportReport, { title }: System): string[] {
  const { rules, standard_rate: standard, own_rates_unknown: isOwnUnknown } = report;
  const notes = ({ outcome, is_hidden: isHidden }: ImportReport['rules'][number]) =>
    (outcome === 'known' ? ' (there already)' : '') +
    (isHidden ? ' (never asked: a rule above always decides)' : '');
  return [
    ...(rules.length > 0 ? ['Reward rules, after those that are there:'] : []),
    ...rules.map((rule) => `  ${rule.sentence}${notes(rule)}`),
    ...(standard === null
      ? []
      : [`Where no rule applies, ${title} has: ${standard} Set it as the store's rate.`]),
    ...(isOwnUnknown
      ? [
          'The rates of affiliates are left out: give the settings that it exports too, which say the standard rate.',
        ]
      : []),
  ];
}

function describeLinks({ link_parameter: name, code_parameters: names }: ImportReport): string[] {
  if (names === null) return [`Old links with ?${name}= keep working.`];
  return [
    `Old links carry ?${name}=. They keep working once it is one of your parameters: ` +
      `./tributary settings set attribution.code_parameters '${JSON.stringify(names)}'`,
  ];
}

export function describeUndo(
  { id, affiliates, coupons, balance, records, rules, kept }: UndoResult,
  { currency }: Site,
): string {
  return [
    `Import ${id} is undone: ${countOf(affiliates, 'affiliate')} and ${countOf(coupons, 'coupon')} removed, ` +
      `${currency.toMajor(balance)} ${currency.code} taken back, ${countOf(records, 'record')} of history removed` +
      `${rules > 0 ? `, ${countOf(rules, 'reward rule')} removed` : ''}.`,
    ...kept.map((login) => `  kept: ${login}`),
  ].join('\n');
}
