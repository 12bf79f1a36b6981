// Compiles the guides for /help: docs/guides, those of add-ons, and what integrators read beside them. A page has its HTML, its sections for
// the search, and its Markdown; in both, links and pictures have the addresses that they have in the service.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { addonGuides } from './addon-files.js';

/** Every document that is served, by the name that it has below /help. */
export function helpFiles(root) {
  const folders = ['docs/guides', 'docs/api'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  const files = [...folders.sort(), 'docs/api.md', 'docs/webhooks.md'];
  return new Map([...files.map((file) => [basename(file, '.md'), file]), ...addonGuides(root)]);
}

/** The first line of the guide of an add-on. */
const READER = /^<!-- For readers: (\w+) -->\n\n/;

/** What a running service has in another form. Everything else that a guide links to is in the repository. */
const IN_SERVICE = {
  'docs/routes.md': '/docs',
  'docs/openapi/v2.json': '/svc/v2/openapi',
  'docs/openapi/store.json': '/svc/store/v1/openapi',
};

/** The anchors that a forge makes of headings, in their order. */
export function anchorsOf(headings) {
  const anchors = new Set();
  for (const heading of headings) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return [...anchors];
}

/** Returns the pages by name, and the files of their pictures. */
export async function buildHelp(root) {
  const { Marked } = await import('marked');
  const files = helpFiles(root);
  const names = new Map([...files].map(([name, file]) => [file, name]));
  const pictures = new Map();
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const home = repository.url.replaceAll(/^git\+|\.git$/g, '');

  /** Where a link or a picture of a document leads in the service. */
  async function resolve(document, target) {
    if (target.startsWith('#') || /^[a-z]+:/.test(target)) return { address: target };
    const [path, anchor] = target.split('#');
    const file = posix.join(posix.dirname(document), path);
    if (!existsSync(join(root, file))) throw new Error(`${document}: ${target} does not exist`);
    if (file.endsWith('.png')) {
      const { name, width, height } = await pictureOf(file);
      return { address: `/app/files/${name}`, width, height };
    }
    const guide = names.get(file);
    const page = guide ? `/help/${guide}` : (IN_SERVICE[file] ?? `${home}/blob/HEAD/${file}`);
    const at = anchor ? `#${anchor}` : '';
    return { address: page + at, ...(guide && { markdown: `${page}.md${at}` }) };
  }

  /** As WebP it has a third of the bytes of the file in the repository. */
  async function pictureOf(file) {
    const known = pictures.get(file);
    if (known) return known;
    const { default: sharp } = await import('sharp');
    const { data: contents, info } = await sharp(join(root, file))
      .webp({ quality: 85 })
      .toBuffer({ resolveWithObject: true });
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
    const name = `${basename(file, '.png')}-${hash}.webp`;
    const picture = { name, contents, width: info.width, height: info.height };
    pictures.set(file, picture);
    return picture;
  }

  async function compile(file) {
    const whole = readFileSync(join(root, file), 'utf8');
    const reader = READER.exec(whole)?.[1];
    const source = whole.replace(READER, '');
    const marked = new Marked({ renderer });
    const tokens = marked.lexer(source);
    const anchors = anchorsOf(
      tokens.filter(({ type }) => type === 'heading').map((token) => textOf(marked, token)),
    );
    const inMarkdown = new Map();
    for (const token of linksIn(marked, tokens)) {
      const { address, markdown = address, width, height } = await resolve(file, token.href);
      inMarkdown.set(token.href, markdown);
      Object.assign(token, { href: address, width, height });
    }
    const sections = [];
    for (const token of tokens) {
      if (token.type === 'heading') {
        token.anchor = anchors.shift();
        const heading = textOf(marked, token);
        sections.push({ anchor: token.anchor, level: token.depth, heading, text: '' });
      } else {
        sections.at(-1).text += ` ${textOf(marked, token)}`;
      }
    }
    for (const section of sections) section.text = section.text.replaceAll(/\s+/g, ' ').trim();
    const [first] = sections;
    return {
      title: first.heading,
      ...(reader && { reader }),
      // The first sentence says what a guide is about.
      about: /^.*?\.(?= |$)/.exec(first.text)[0],
      html: marked.parser(tokens.filter(({ depth }) => depth !== 1)),
      sections,
      markdown: source.replaceAll(/\]\(([^)\s]+)\)/g, (link, target) =>
        inMarkdown.has(target) ? `](${inMarkdown.get(target)})` : link,
      ),
    };
  }

  const compiled = await Promise.all(
    [...files].map(async ([name, file]) => [name, await compile(file)]),
  );
  return { pages: Object.fromEntries(compiled), pictures: [...pictures.values()] };
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The words of a token, as a reader sees them. */
function textOf(marked, token) {
  const html =
    token.type === 'heading'
      ? marked.Parser.parseInline(token.tokens, marked.defaults)
      : marked.parser([token]);
  return html
    .replaceAll(/<\/(?:td|th|p|li|h\d)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);
}

function linksIn(marked, tokens) {
  const links = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token);
  });
  return links;
}

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What scrolls sideways can be reached with the keyboard, and headings can be linked to. */
const renderer = {
  heading({ tokens, depth, anchor }) {
    const text = this.parser.parseInline(tokens);
    return `<h${depth} id="${anchor}"><a href="#${anchor}">${text}</a></h${depth}>\n`;
  },
  code({ text }) {
    return `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
  },
  table(token) {
    const row = (cells) => `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
    const rows = token.rows.map(row).join('');
    return `<div class="guide-table" tabindex="0"><table><thead>${row(token.header)}</thead><tbody>${rows}</tbody></table></div>\n`;
  },
  image({ href, text, width, height }) {
    return `<img src="${href}" alt="${escape(text)}" width="${width}" height="${height}" loading="lazy">`;
  },
  // Guides are Markdown alone.
  html: ({ text }) => escape(text),
};
