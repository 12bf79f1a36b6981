import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TSchema } from 'typebox';
import { commandLine, commandsOf, pathOf } from '../src/cli/program.ts';
import { loadEdition } from '../src/edition-pro.ts';
import { configKeys } from '../src/installation/config-keys.ts';
import { errorsOf } from '../src/kernel/call/operation-errors.ts';
import type { ConfigKey } from '../src/kernel/declare/config.ts';
import { exampleBody, restrictedKinds, type EventDefinition } from '../src/kernel/declare/event.ts';
import { Registry } from '../src/kernel/declare/registry.ts';
import { rolesThatMayChange, SettingValues } from '../src/kernel/declare/setting.ts';
import type { Site } from '../src/kernel/declare/site.ts';
import { openApiText } from '../src/kernel/present/openapi/document.ts';

/**
 * Writes the references in docs/ and the example of an environment file from the declarations in the
 * sources. With --check it only reports whether they are up to date.
 */
const settings = new SettingValues();
const registry = new Registry(await loadEdition('pro'), settings);
const root = join(import.meta.dirname, '..');
const configFlags = new Set(Object.values(configKeys).map(({ flag }) => `--${flag}`));
const checking = process.argv.includes('--check');

const pages: Record<string, string> = {
  'docs/routes.md': page(
    'Routes',
    'Every operation. `v2` is under `/svc/v2`, `store` under `/svc/store/v1`, `site` outside both.',
    ['Method and path', 'In', 'Access', 'Scope', 'What it does', 'Operation id'],
    registry
      .allOperations()
      .map((op) => [
        `\`${op.method} ${op.path}\``,
        op.namespace,
        op.access,
        op.scope ?? 'none',
        op.summary,
        `\`${op.switchName}\``,
      ]),
  ),
  'docs/errors.md': page(
    'Errors',
    'Every code the service answers with. The body is `{ code, message, data: { status, … } }`.',
    ['Code', 'Status', 'Meaning', 'Answered by'],
    registry
      .errors()
      .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
      .map((error) => [
        `\`${error.code}\``,
        String(error.status),
        error.message,
        answeredBy(error.code),
      ]),
  ),
  'docs/events.md':
    page(
      'Events',
      'What the change feed and the [webhooks](webhooks.md) tell about. The filter `event` of the feed takes a kind (the part before the dot) or a full name. ' +
        `Events of the kinds ${restrictedKinds.join(', ')} are for administrators, not for managers, and only by name: ` +
        'neither the feed without this filter nor a webhook with `*` includes them. Below, what each carries.',
      ['Event', 'When', '`data`'],
      registry.events().map((event) => [
        `\`${event.name}\``,
        event.description,
        Object.keys(event.data.properties)
          .map((name) => `\`${name}\``)
          .join(', '),
      ]),
    ) + registry.events().map(payload).join(''),
  'docs/settings.md': page(
    'Settings',
    'What a site can change while it runs: `PATCH /svc/store/v1/settings` or `./tributary settings set`.',
    ['Setting', 'Default', 'Changed by', 'What it does'],
    [...registry.settings().values()].map((setting) => [
      `\`${setting.key}\``,
      `\`${JSON.stringify(setting.default)}\``,
      rolesThatMayChange(setting).join(', '),
      setting.help,
    ]),
  ),
  'docs/cli.md': commandPage(),
  'docs/configuration.md': page(
    'Configuration',
    'What is read at the start. A flag takes precedence over its environment variable, which takes precedence over the default; ' +
      '`./tributary config` shows every value and where it is from. Credentials have no flag, because other users of a machine can list ' +
      'command lines. [Settings](settings.md) change while the service runs.',
    ['Variable', 'Flag', 'Default', 'Meaning'],
    Object.values(configKeys).map(({ env, flag, secret, placeholder, default: value, help }) => [
      `\`${env}\``,
      secret ? '' : `\`--${flag} ${placeholder}\``,
      value === '' ? 'none' : `\`${value}\``,
      help,
    ]),
  ),
  'docs/openapi/v2.json': openApi('v2'),
  'docs/openapi/store.json': openApi('store'),
  'deploy/tributary.env.example': environmentExample(Object.values(configKeys)),
};

const stale = Object.entries(pages).filter(
  ([name, text]) =>
    !existsSync(join(root, name)) || readFileSync(join(root, name), 'utf8') !== text,
);
for (const [name, text] of stale) {
  if (checking) console.error(`${name} is out of date: run "npm run generate"`);
  else {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}
process.exitCode = checking && stale.length > 0 ? 1 : 0;

/** The document of an installation with the default settings. */
function openApi(namespace: 'v2' | 'store'): string {
  const publicUrl = 'https://affiliates.example';
  // The documents depend on these parts of a site only.
  const site = { registry, settings, extensions: {}, publicUrl } as unknown as Site;
  return `${JSON.stringify(JSON.parse(openApiText(site, namespace)), null, 1)}\n`;
}

/** Every command that runs, as its help describes it. */
function commandPage(): string {
  const rows = commandsOf(commandLine())
    .filter(
      ({ commands, registeredArguments }) =>
        commands.length === 0 || registeredArguments.length > 0,
    )
    .map((command) => [
      `\`${pathOf(command)}${command.registeredArguments.map((one) => ` ${one.required ? `<${one.name()}>` : `[${one.name()}]`}`).join('')}\``,
      command.description(),
      command.options
        .filter(({ hidden, long }) => !hidden && long !== '--json' && !configFlags.has(long!))
        .map(({ flags }) => `\`${flags}\``)
        .join(', '),
    ]);
  const intro =
    'Every command. Serving commands (`start`, `worker`, `demo`) take all flags of the [configuration](configuration.md), the others ' +
    '`--data`. Commands work next to a running server, which picks up their changes within a second. `--json` prints JSON, `--help` shows ' +
    'an example. The exit code is 0 for success, 1 for a failure, 2 for wrong usage, 3 for not found and 4 for refused.';
  return page('Commands', intro, ['Command', 'What it does', 'Options'], rows);
}

/**
 * Writes every variable as a comment with its default, so that an unedited copy changes nothing.
 */
function environmentExample(keys: readonly ConfigKey<unknown>[]): string {
  return [
    '# The configuration of Tributary, for systemd (EnvironmentFile) and for docker compose (env_file).',
    '# Copy this file, take away the # before a variable and put your value after it. Keep the copy',
    '# readable for yourself alone (chmod 600): it may hold passwords. Put a value with spaces, # or $',
    "# into single quotes: TRIBUTARY_STRIPE_KEY='…'.",
    '#',
    '# Generated by "npm run generate" from src/installation/config-keys.ts.',
    ...keys.flatMap(({ env, help, placeholder, default: value }) => [
      '',
      `# ${placeholder}: ${help}`,
      `#${env}=${value}`,
    ]),
    '',
  ].join('\n');
}

function answeredBy(code: string): string {
  const operations = registry.allOperations();
  const answering = operations.filter((op) =>
    errorsOf(op, registry).some((error) => error.code === code),
  );
  if (answering.length > operations.length / 3) return 'most operations';
  return answering.map((op) => `\`${op.switchName}\``).join(', ') || 'the server';
}

/** The body of a delivery, and what its data may be. */
function payload(event: EventDefinition): string {
  const { name, data } = event;
  const fields = Object.entries(data.properties).map(([field, schema]) => {
    const { anyOf = [] } = schema as { anyOf?: TSchema[] };
    const described = [schema, ...anyOf] as { description?: string }[];
    const description = described.find((one) => one.description)?.description;
    return `- \`${field}\`: ${typeOf(schema)}${description ? `. ${description}` : ''}`;
  });
  const sample = JSON.stringify(exampleBody(event), null, 2);
  return ['', `## ${name}`, '', '```json', sample, '```', '', ...fields, ''].join('\n');
}

function typeOf(schema: TSchema): string {
  const s = schema as { type?: string; enum?: string[]; anyOf?: TSchema[]; items?: TSchema };
  if (s.anyOf) return s.anyOf.map(typeOf).join(' or ');
  if (s.enum) return s.enum.map((word) => `"${word}"`).join(', ');
  return s.items ? `list of ${typeOf(s.items)}` : (s.type ?? 'any');
}

function page(title: string, intro: string, head: string[], rows: string[][]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [
    `# ${title}`,
    '',
    '<!-- Generated by "npm run generate" from the modules\' declarations. -->',
    '',
    intro,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n');
}
