import { html, Html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages.ts';
import type { AccentColors } from '../../web-contract/accent-colors.ts';

/** The colours of `web/ui/tokens.css`: mail programs know neither custom properties nor `oklch`. */
const builtIn: MailAccent = {
  light: { accent: '#016b50', onAccent: '#ffffff' },
  dark: { accent: '#5dd0a9', onAccent: '#001c12' },
};
const light = {
  page: '#ffffff',
  ground: '#f5f7f9',
  text: '#192026',
  muted: '#4f5a61',
  line: '#dce0e3',
};
const dark = {
  page: '#171d21',
  ground: '#0e1216',
  text: '#e8ecee',
  muted: '#a3acb3',
  line: '#2d3439',
};

type Accent = Pick<AccentColors['light'], 'accent' | 'onAccent'>;
/** The colour of links and buttons in both themes. */
export interface MailAccent {
  readonly light: Accent;
  readonly dark: Accent;
}

/**
 * Mail programs that ignore the style sheet use the inline styles, which are the light ones. In dark mode the style
 * sheet replaces the colours.
 */
const styleOf = (accent: Accent) =>
  new Html(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: ${dark.ground} !important; color: ${dark.text} !important; }
  .card { background: ${dark.page} !important; border-color: ${dark.line} !important; }
  .text a { color: ${accent.accent} !important; }
  .muted, .muted a, .text .muted a { color: ${dark.muted} !important; }
  .text a.button { background: ${accent.accent} !important; color: ${accent.onAccent} !important; }
}
</style>`);

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:anywhere';

const styles = {
  ground: `margin:0;padding:24px 12px;background:${light.ground};color:${light.text};font:16px/1.55 ${FONT}`,
  column: 'max-width:560px;margin:0 auto',
  header: 'margin:0 0 16px;padding:0 4px;font-size:18px;font-weight:650',
  card: `padding:28px 24px 12px;background:${light.page};border:1px solid ${light.line};border-radius:10px`,
  footer: `padding:16px 4px 0;color:${light.muted};font-size:13px;line-height:1.5`,
  button:
    'display:inline-block;padding:12px 20px;border-radius:10px;font-weight:600;text-decoration:none',
  small: `${PARAGRAPH};color:${light.muted};font-size:13px`,
  footerLink: `color:${light.muted}`,
  // Mail programs show the beginning of the text in the list of mails.
  preheader: 'display:none;max-height:0;overflow:hidden;opacity:0',
};

/** A paragraph. Addresses in it can be clicked. */
export function paragraph(text: string, accent: MailAccent = builtIn): Html {
  const lines = text
    .split('\n')
    .map((line, i) => html`${i > 0 && new Html('<br />')}${withLinks(line, accent)}`);
  return html`<p style="${PARAGRAPH}">${lines}</p>`;
}

function withLinks(line: string, { light: { accent } }: MailAccent): (Html | string)[] {
  return line
    .split(/(https?:\/\/(?!\u2060)[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, i) =>
      i % 2 === 1 ? html`<a href="${part}" style="color:${accent}">${part}</a>` : part,
    );
}

/** The action of a mail, with the address below for readers whose program shows no buttons. */
export function button(label: string, url: string, accent: MailAccent = builtIn): Html {
  const colors = `background:${accent.light.accent};color:${accent.light.onAccent}`;
  return html`<p style="${PARAGRAPH}">
      <a class="button" href="${url}" style="${styles.button};${colors}">${label}</a>
    </p>
    <p class="muted" style="${styles.small}">
      <a href="${url}" style="${styles.footerLink}">${url}</a>
    </p>`;
}

interface Layout {
  readonly language: Language;
  readonly siteName: string;
  readonly subject: string;
  readonly preheader: string;
  readonly body: Html;
  readonly footer: readonly string[];
  readonly accent?: MailAccent | undefined;
}

export function layout(mail: Layout): string {
  const { language, siteName, subject, preheader, body, footer, accent = builtIn } = mail;
  return String(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>${subject}</title>
          ${styleOf(accent.dark)}
        </head>
        <body class="ground" style="${styles.ground}">
          <div style="${styles.preheader}">${preheader}</div>
          <div style="${styles.column}">
            <p style="${styles.header}">${siteName}</p>
            <div class="card text" style="${styles.card}">${body}</div>
            <div class="muted" style="${styles.footer}">
              ${footer.map((line) => html`<p style="margin:0 0 8px">${withFooterLinks(line)}</p>`)}
            </div>
          </div>
        </body>
      </html> `,
  );
}

function withFooterLinks(line: string): (Html | string)[] {
  return line
    .split(/(https?:\/\/\S+)/)
    .map((part, i) =>
      i % 2 === 1 ? html`<a href="${part}" style="${styles.footerLink}">${part}</a>` : part,
    );
}
