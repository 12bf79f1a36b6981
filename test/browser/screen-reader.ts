import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { Tab } from './tab.ts';

/** What is used here of the reader, which the script defines in the page. */
declare const guidepup: {
  readonly virtual: {
    readonly activeNode: Node | null;
    start(options: { container: Node }): Promise<void>;
    next(): Promise<void>;
    lastSpokenPhrase(): Promise<string>;
    spokenPhraseLog(): Promise<string[]>;
  };
  /** How many phrases of this document were spoken before the last step. */
  spokenBefore?: number;
};

/** More than any screen has. */
const PHRASES_MAX = 5000;

const bundle = fileURLToPath(import.meta.resolve('@guidepup/virtual-screen-reader/browser.js'));
/** A script, not a module: the Content-Security-Policy of our pages does not let a test import one. */
const script = transformSync(readFileSync(bundle, 'utf8'), {
  format: 'iife',
  globalName: 'guidepup',
  footer: 'globalThis.guidepup = guidepup;',
}).code;

/**
 * A person who hears the page and uses the keyboard. The reader computes roles and names as screen readers get them,
 * and speaks what gets the focus, what its cursor is moved to, and what comes into a live region. The keys are those of
 * the browser itself.
 */
export class ScreenReader {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens an address. The reader starts again with each document, as a real one does. */
  static async open({ page }: Tab, address: string): Promise<ScreenReader> {
    await page.addInitScript(script);
    await page.addInitScript(() => {
      // The reader also asks the root of an element that was removed, which is no document.
      Object.assign(Element.prototype, {
        getElementById(this: Element, id: string) {
          return this.querySelector(`#${CSS.escape(id)}`);
        },
      });
      // The browser reports a dialog as modal that is shown as one; the reader knows the attribute alone.
      const { showModal, close } = HTMLDialogElement.prototype;
      HTMLDialogElement.prototype.showModal = function () {
        this.setAttribute('aria-modal', 'true');
        showModal.call(this);
      };
      HTMLDialogElement.prototype.close = function () {
        this.removeAttribute('aria-modal');
        close.call(this);
      };
      document.addEventListener('DOMContentLoaded', () => {
        void guidepup.virtual.start({ container: document.body });
      });
    });
    await page.goto(address);
    return new ScreenReader(page);
  }

  /** Waits until these were spoken by themselves, in this order. It has to follow the step that they come from. */
  async hears(...phrases: string[]): Promise<void> {
    await eventually(async () => inOrder(await this.#page.evaluate(spokenSince), phrases));
  }

  /** Reads the screen, or the dialog on it, from its beginning, and expects these in this order. */
  async reads(...phrases: string[]): Promise<void> {
    await eventually(async () => inOrder(await this.#page.evaluate(readAll, PHRASES_MAX), phrases));
  }

  /** Moves the cursor to what is spoken like this, and the focus with it. */
  async goTo(phrase: string): Promise<void> {
    const input = { phrase, steps: PHRASES_MAX };
    await eventually(async () => {
      if (await this.#page.evaluate(moveTo, input)) return;
      inOrder(await this.#page.evaluate(readAll, PHRASES_MAX), [phrase]);
      throw new Error(`"${phrase}" was not there yet`);
    });
  }

  async type(text: string): Promise<void> {
    await this.#page.evaluate(beginStep);
    await this.#page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    await this.#page.evaluate(beginStep);
    await this.#page.keyboard.press(key);
  }

  /** Presses a button or follows a link. */
  async activate(phrase: string): Promise<void> {
    await this.goTo(phrase);
    await this.press('Enter');
  }
}

// These run in the page.

async function beginStep(): Promise<void> {
  guidepup.spokenBefore = (await guidepup.virtual.spokenPhraseLog()).length;
}

async function spokenSince(): Promise<string[]> {
  return (await guidepup.virtual.spokenPhraseLog()).slice(guidepup.spokenBefore ?? 0);
}

async function readAll(steps: number): Promise<string[]> {
  const spoken: { node: Node | null; phrase: string }[] = [];
  for (let i = 0; i < steps; i += 1) {
    await guidepup.virtual.next();
    const one = {
      node: guidepup.virtual.activeNode,
      phrase: await guidepup.virtual.lastSpokenPhrase(),
    };
    if (one.node === spoken[0]?.node && one.phrase === spoken[0].phrase) break;
    spoken.push(one);
  }
  // The cursor was somewhere in the middle. A modal dialog is all there is while it is open.
  const start = spoken.findIndex(
    ({ node, phrase }) => node === document.body || phrase.startsWith('dialog, '),
  );
  const phrases = spoken.map(({ phrase }) => phrase);
  return [...phrases.slice(start), ...phrases.slice(0, start)];
}

async function moveTo({ phrase, steps }: { phrase: string; steps: number }): Promise<boolean> {
  let first: Node | null = null;
  for (let i = 0; i < steps; i += 1) {
    await guidepup.virtual.next();
    if ((await guidepup.virtual.lastSpokenPhrase()) === phrase) {
      (guidepup.virtual.activeNode as HTMLElement).focus();
      return true;
    }
    if (first === guidepup.virtual.activeNode) return false;
    first ??= guidepup.virtual.activeNode;
  }
  return false;
}

function inOrder(spoken: readonly string[], expected: readonly string[]): void {
  let from = 0;
  for (const phrase of expected) {
    const place = spoken.findIndex((one, i) => i >= from && one.includes(phrase));
    assert.notEqual(place, -1, `"${phrase}" is not spoken after these:\n${spoken.join('\n')}`);
    from = place + 1;
  }
}
