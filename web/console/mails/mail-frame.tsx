import { useLayoutEffect, useRef } from 'preact/hooks';
import './mail-frame.css';

/**
 * A mail as its recipient sees it, in a frame without scripts. The policy of the page forbids styles in the markup, which
 * mails need, so they are set by script: those of elements one by one, the style sheet as an object.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useLayoutEffect(() => {
    const element = frame.current!;
    const inner = element.contentDocument!;
    const { markup, styleSheet } = withoutStyles(html);
    const mail = new DOMParser().parseFromString(markup, 'text/html');
    for (const link of mail.querySelectorAll('a')) link.removeAttribute('href');
    // The type of a window lacks its classes; a style sheet belongs to the window that it was made in.
    const { CSSStyleSheet: Sheet } = element.contentWindow as unknown as typeof globalThis;
    const sheet = new Sheet();
    sheet.replaceSync(styleSheet);
    inner.adoptedStyleSheets = [sheet];
    inner.documentElement.lang = mail.documentElement.lang;
    inner.body.replaceWith(inner.adoptNode(mail.body));
    for (const one of inner.querySelectorAll<HTMLElement>('[data-style]')) {
      one.style.cssText = one.dataset['style']!;
    }
    element.style.blockSize = `${inner.documentElement.scrollHeight + 2}px`;
  }, [html]);
  return <iframe ref={frame} class="mail-frame" title={title} sandbox="allow-same-origin" />;
}

/** Quotation marks in the words of a mail are escaped, so only markup has the attribute. */
function withoutStyles(html: string): { markup: string; styleSheet: string } {
  let styleSheet = '';
  const markup = html
    .replaceAll(/<style>([^]*?)<\/style>/g, (_, rules: string) => {
      styleSheet += rules;
      return '';
    })
    .replaceAll(' style="', ' data-style="');
  return { markup, styleSheet };
}
