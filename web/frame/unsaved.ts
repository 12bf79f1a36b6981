import { effect } from '@preact/signals';

/** While this is true, the browser asks before it leaves or reloads the page. It reads signals. */
export function warnBeforeLeaving(
  isUnsaved: () => boolean,
  /** Asked before a link, or the way back, to another screen, where that loses what is not saved. */
  question?: () => string,
): void {
  effect(() => {
    if (!isUnsaved()) return;
    const askAtLink = (event: MouseEvent) => {
      if (!question || !leadsAway(event) || confirm(question())) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', ask);
    addEventListener('click', askAtLink, { capture: true });
    if (question) unsavedScreen = { path: location.pathname, href: location.href, question };
    return () => {
      unsavedScreen = undefined;
      removeEventListener('beforeunload', ask);
      removeEventListener('click', askAtLink, { capture: true });
    };
  });
}

let unsavedScreen: { path: string; href: string; question: () => string } | undefined;

/** The browser has changed the address already: the screen stays, and asks. Loaded before the router, it is first. */
addEventListener('popstate', (event) => {
  const screen = unsavedScreen;
  if (!screen || location.pathname === screen.path) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', screen.href);
  setTimeout(() => {
    if (!confirm(screen.question())) return;
    unsavedScreen = undefined;
    history.back();
  });
});

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Whether a click opens another screen in this tab. */
function leadsAway({ target, button, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || button !== 0 || metaKey || ctrlKey || shiftKey) return false;
  // The browser itself asks before it loads another page.
  const isOfApp = link.origin === location.origin && !link.target && !link.download;
  return isOfApp && link.pathname !== location.pathname;
}
