import { useLayoutEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Found } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useFocusFirst } from '../../frame/focus-first.ts';
import { t } from '../../words.ts';
import { hrefOfObject } from '../object-href.ts';
import type { ConsoleScreen } from '../screens.ts';
import './palette.css';

interface Entry {
  readonly key: string;
  readonly type: 'screen' | Found['items'][number]['type'];
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

interface PaletteListProps {
  screens: readonly ConsoleScreen[];
  onClose(): void;
}

/** What a dialog shows: any screen, affiliate, coupon or order by a few letters, with the keyboard alone. */
export function PaletteList({ screens, onClose }: PaletteListProps) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, isFailed, isSearching } = useFound(text.trim());
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const content = useFocusFirst<HTMLDivElement>();
  const entries = [...screensFor(screens, text), ...found];
  const current = Math.min(chosen, entries.length - 1);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    navigate(entry.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(entries[current]);
    }
  };
  const isNothing = entries.length === 0 && !isSearching;
  return (
    <div class="palette" ref={content}>
      <input
        type="text"
        role="combobox"
        class="palette-input"
        aria-expanded={entries.length > 0}
        aria-controls={id}
        aria-activedescendant={entries[current] && `${id}-${current}`}
        aria-autocomplete="list"
        aria-label={t('console-palette.label')}
        placeholder={t('console-palette.label')}
        maxLength={100}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div ref={list} id={id} role="listbox" aria-label={t('console-palette.title')}>
        {entries.map((entry, i) => (
          <div key={entry.key} role="presentation">
            {entry.type !== entries[i - 1]?.type && (
              <p class="palette-type" role="presentation">
                {t(`console-palette.type.${entry.type}`)}
              </p>
            )}
            {/* The keyboard chooses in the field above. */}
            <div
              id={`${id}-${i}`}
              class="palette-entry"
              role="option"
              aria-selected={i === current}
              onPointerMove={() => setChosen(i)}
              onClick={() => open(entry)}
            >
              <span>{entry.title}</span>
              <span class="muted">{entry.detail}</span>
            </div>
          </div>
        ))}
      </div>
      <p class="muted palette-state" role="status">
        {isFailed
          ? t('console-palette.failed')
          : isNothing
            ? t('console-palette.none', { text: text.trim() })
            : text !== '' && (
                <span class="visually-hidden">
                  {t('console-palette.found', { count: entries.length })}
                </span>
              )}
      </p>
      <p class="muted palette-hint">{t('console-palette.hint')}</p>
    </div>
  );
}

/** Screens whose name has a word that begins with the text. */
function screensFor(screens: readonly ConsoleScreen[], text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  return screens
    .map(({ name, path }) => ({
      key: name,
      type: 'screen' as const,
      title: t(`console.nav.${name}`),
      detail: '',
      href: path,
    }))
    .filter(({ title }) => ` ${title.toLowerCase()}`.includes(` ${wanted}`));
}

const TYPING_MS = 120;

/** What the service finds. The results of the letters before stay until the newer ones are here. */
function useFound(text: string) {
  const [state, setState] = useState<{ text: string; found: Entry[]; isFailed: boolean }>({
    text: '',
    found: [],
    isFailed: false,
  });
  useLayoutEffect(() => {
    if (text === '') {
      setState({ text, found: [], isFailed: false });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api.search.get({ q: text }, { signal: controller.signal }).then(
        ({ items }) => setState({ text, found: entriesOf(items), isFailed: false }),
        () => {
          if (!controller.signal.aborted) setState({ text, found: [], isFailed: true });
        },
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const isBegun = text !== '' && state.text !== '';
  return { ...state, found: isBegun ? state.found : [], isSearching: state.text !== text };
}

function entriesOf(items: Found['items']): Entry[] {
  return items.flatMap(({ type, id, title, detail }) => {
    const href = hrefOfObject(type, id);
    return href === undefined ? [] : [{ key: `${type} ${id}`, type, title, detail, href }];
  });
}
