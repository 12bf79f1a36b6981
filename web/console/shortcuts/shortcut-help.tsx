import { t } from '../../words.ts';
import type { ConsoleScreen } from '../screens.ts';
import './shortcut-help.css';

interface ShortcutHelpProps {
  screens: readonly ConsoleScreen[];
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What a dialog shows: every key of the console, and what it does. */
export function ShortcutHelp({ screens }: ShortcutHelpProps) {
  return (
    <>
      <h3>{t('console-shortcuts.general')}</h3>
      <dl class="shortcuts">
        <Shortcut keys={[isApple ? '⌘' : 'Ctrl', 'K']} text={t('console-shortcuts.palette')} />
        <Shortcut keys={['/']} text={t('console-shortcuts.search')} />
        <Shortcut keys={['?']} text={t('console-shortcuts.help')} />
      </dl>
      <h3>{t('console-shortcuts.goTo')}</h3>
      <dl class="shortcuts">
        {screens.map(
          ({ name, letter }) =>
            letter && (
              <Shortcut
                key={name}
                keys={['G', letter.toUpperCase()]}
                isSequence
                text={t(`console.nav.${name}`)}
              />
            ),
        )}
      </dl>
      {screens.map(
        ({ name, keys }) =>
          keys && (
            <>
              <h3>{t(`console.nav.${name}`)}</h3>
              <dl class="shortcuts">
                <Shortcut keys={['J']} text={t('console-shortcuts.next')} />
                <Shortcut keys={['K']} text={t('console-shortcuts.previous')} />
                {Object.entries(keys).map(([key, text]) => (
                  <Shortcut key={key} keys={[key.toUpperCase()]} text={t(text)} />
                ))}
              </dl>
            </>
          ),
      )}
      <p class="muted">{t('console-shortcuts.off')}</p>
    </>
  );
}

interface ShortcutProps {
  keys: readonly string[];
  text: string;
  /** One after the other, instead of together. */
  isSequence?: boolean;
}

function Shortcut({ keys, text, isSequence = false }: ShortcutProps) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>
        {keys.map((key, i) => (
          <>
            {i > 0 && isSequence && <span class="muted"> {t('console-shortcuts.then')} </span>}
            <kbd>{key}</kbd>
          </>
        ))}
      </dd>
    </div>
  );
}
