import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { loadEdition } from '../src/edition-pro.ts';
import { Registry } from '../src/kernel/declare/registry.ts';
import { SettingValues } from '../src/kernel/declare/setting.ts';
import { languages } from '../src/shared/languages.ts';
import { addonGuides, readTexts } from './addon-files.js';
import { helpFiles } from './build-help.js';
import { wrongWords } from './check-texts.ts';

/**
 * Checks the documents: every relative link leads to a file and a heading, every label that a guide names in bold is on a
 * screen, guides use the words of the texts, every guide that a text names is a link to one that exists, and the README stays short. Run it with `npm run check`.
 */
const root = join(import.meta.dirname, '..');
const README = { lines: 90, words: 650, columns: 120, pictures: 2 };

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['.github', 'addons', 'bench', 'deploy', 'docs', 'examples', 'sdk', 'test'].flatMap((folder) =>
    filesIn(folder, '.md').filter((name) => !name.includes('node_modules')),
  ),
];

const withoutCode = (text: string) =>
  text.replaceAll(/^ *```[^]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, (code) => code.slice(1, -1));

/** The anchors that a forge makes of headings. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  const headings = withoutCode(read(path)).matchAll(/^#+ (.+)$/gm);
  for (const [, heading] of headings) {
    const words = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    for (let n = 0; ; n++) {
      const unique = n === 0 ? anchor : `${anchor}-${n}`;
      if (anchors.has(unique)) continue;
      anchors.add(unique);
      break;
    }
  }
  return anchors;
}

function brokenLinks(path: string): string[] {
  const text = read(path).replaceAll(/^ *```[^]*?^ *```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    if (/^(?:https?:|mailto:)/.test(target!)) return [];
    const [file, anchor] = target!.split('#');
    const linked = file === '' ? path : normalize(join(dirname(path), decodeURI(file!)));
    if (!existsSync(join(root, linked))) return [`${path}: ${target} does not exist`];
    if (!anchor || !linked.endsWith('.md') || statSync(join(root, linked)).isDirectory()) return [];
    return anchorsOf(linked).has(anchor) ? [] : [`${path}: ${target} has no such heading`];
  });
}

/** Guides call affiliates by the word that the site has at first. */
const plain = (label: string) =>
  label
    .replaceAll(/\{(affiliates?)\}/gi, '$1')
    .replaceAll(/\s+/g, ' ')
    .replace(/[…:.]+$/, '')
    .trim();

/** The English texts, and the titles and groups of settings, which their declarations have. */
async function labels(): Promise<(label: string) => boolean> {
  const registry = new Registry(await loadEdition('pro'), new SettingValues());
  const settings = [...registry.settings().values()].flatMap(({ title, group }) => [
    title ?? '',
    group?.title ?? '',
  ]);
  const texts = Object.values(readTexts(root, 'en')).flatMap((part) => Object.values(part));
  const all = [...texts, ...settings].map(plain);
  const known = new Set(all);
  return (label) => {
    if (known.has(plain(label))) return true;
    if (!label.includes('…')) return false;
    // "Approve … payouts…" is "Approve {count} payouts, {amount}".
    const parts = label.trim().split('…');
    const pattern = parts.map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&'));
    const filled = new RegExp(`^${pattern.join('.*')}$`);
    return all.some((text) => filled.test(text));
  };
}

/**
 * Bold is what a screen of Tributary says; `A → B` leads through several. A paragraph or a list item may begin with bold words
 * of its own, which end with a full stop or a colon. Labels of other programs are in italics.
 */
function wrongLabels(path: string, isLabel: (label: string) => boolean): string[] {
  const text = withoutCode(read(path)).replaceAll(
    /^( *(?:[-*]|\d+\.) )?\*\*[^*]+(?:\.\*\*|\*\*[:,])/gm,
    '$1',
  );
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, bold]) =>
    bold!
      .split(/\s[→›]\s/)
      .filter((label) => !isLabel(label))
      .map((label) => `${path}: no screen says "${label}"`),
  );
}

/** The words of a document that are not code and no address. */
const proseOf = (path: string) =>
  read(path).replaceAll(/^ *```[^]*?^ *```|`[^`\n]*`|\]\([^)]*\)/gm, '');

/** Texts name guides with links: a title in quotation marks is something that the reader has to look for. */
function wrongGuides(): string[] {
  const files = helpFiles(root);
  const parts = languages.flatMap((language) =>
    Object.entries(readTexts(root, language)).map(
      ([part, texts]) => [`${language} ${part}`, Object.values(texts)] as const,
    ),
  );
  return parts.flatMap(([file, texts]) =>
    texts.flatMap((text) => [
      ...[...text.matchAll(/\b(?:guide|guia|guía|Anleitung) ["„«“][^"”»]+/gi)].map(
        ([named]) => `${file}: ${named} is no link, such as [Rewards](/help/rewards)`,
      ),
      ...[...text.matchAll(/\]\(\/help\/([^)#]*)#?([^)]*)\)/g)]
        .filter(([, name, anchor]) => {
          const document = files.get(name!);
          return !document || (anchor !== '' && !anchorsOf(document).has(anchor!));
        })
        .map(([link]) => `${file}: ${link.slice(1)} does not exist`),
    ]),
  );
}

function longReadme(): string[] {
  const text = read('README.md');
  const lines = text.trimEnd().split('\n');
  const measured = {
    lines: lines.length,
    words: text.split(/\s+/).length,
    columns: Math.max(...lines.map(({ length }) => length)),
    pictures: text.split('![').length - 1,
  };
  return Object.entries(README)
    .filter(([what, most]) => measured[what as keyof typeof README] > most)
    .map(
      ([what, most]) => `README.md: ${measured[what as keyof typeof README]} ${what}, not ${most}`,
    );
}

const isLabel = await labels();
const errors = [
  ...documents.flatMap(brokenLinks),
  ...[...filesIn('docs/guides', '.md'), ...addonGuides(root).values()].flatMap((path) =>
    wrongLabels(path, isLabel),
  ),
  ...wrongGuides(),
  ...[...helpFiles(root).values()].flatMap((path) => wrongWords(path, proseOf(path))),
  ...longReadme(),
];
for (const error of errors) console.error(error);
process.exitCode = errors.length > 0 ? 1 : 0;
