import { useState } from 'preact/hooks';
import { TributaryError, type CallOptions } from '../../../sdk/src/index.ts';
import { accentColors, type ThemeAccent } from '../../../src/web-contract/accent-colors.ts';
import { act, GivenUp } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { sentenceOf } from '../../error-words.ts';
import { siteLogo } from '../../frame/site-logo.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SiteMark } from '../../ui/site-mark.tsx';
import { t } from '../../words.ts';
import { adopt, draft, errors, setChange, setError } from './draft.ts';
import { loadSettings, type Version } from './setting-schema.ts';

const COLOR = /^#[0-9a-f]{6}$/;
/** What the picker shows while no colour is set: the built-in one. */
const BUILT_IN = '#016b50';

/** The colour with its contrast and a preview, and the logo. */
export function Brand({ version }: { version: Version }) {
  const key = 'brand.accent';
  const accent = String(draft.value?.changes[key] ?? version.values[key]);
  const [typed, setTyped] = useState(accent);
  const set = (text: string) => {
    setTyped(text);
    const color = text.trim().toLowerCase();
    if (color === '' || COLOR.test(color)) setChange(version, key, color);
    else setError(key, t('console-settings.badColor'));
  };
  const error = errors.value[key];
  const colors = accentColors(accent === '' ? BUILT_IN : accent);
  return (
    <>
      <Logo />
      <div class="field">
        <label for={key}>{t('console-settings.brandColor')}</label>
        <div class="brand-color">
          <input
            type="color"
            aria-label={t('console-settings.brandPick')}
            value={accent === '' ? BUILT_IN : accent}
            onInput={(event) => set(event.currentTarget.value)}
          />
          <input
            id={key}
            name={key}
            value={typed}
            maxLength={7}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={`${key}-hint`}
            aria-invalid={error ? 'true' : undefined}
            onInput={(event) => set(event.currentTarget.value)}
          />
        </div>
        <p class="field-hint" id={`${key}-hint`}>
          {error ?? t('console-settings.brandColorHint')}
        </p>
      </div>
      <div class="brand-previews" role="group" aria-label={t('console-settings.brandPreview')}>
        <Preview theme="light" colors={colors.light} asked={accent} />
        <Preview theme="dark" colors={colors.dark} asked={accent} />
      </div>
    </>
  );
}

interface PreviewProps {
  theme: 'light' | 'dark';
  colors: ThemeAccent;
  asked: string;
}

function Preview({ theme, colors, asked }: PreviewProps) {
  const { program } = useSession();
  const { accent, onAccent, ratio, askedRatio } = colors;
  const isAdjusted = asked !== '' && accent !== asked;
  return (
    <figure>
      <div
        class="brand-preview"
        data-theme={theme}
        style={{ '--accent': accent, '--on-accent': onAccent }}
      >
        <SiteMark name={program.name} logo={siteLogo.value} />
        <span class="brand-link">{t('console-settings.brandLink')}</span>
        <span class="brand-button">{t('console-settings.brandButton')}</span>
      </div>
      <figcaption class="field-hint">
        <strong>
          {theme === 'light' ? t('console-settings.brandLight') : t('console-settings.brandDark')}
        </strong>{' '}
        {isAdjusted
          ? t('console-settings.brandAdjusted', { color: accent, asked: askedRatio, ratio })
          : t('console-settings.brandContrast', { ratio })}
      </figcaption>
    </figure>
  );
}

type LogoState = { step: 'ready' | 'busy' } | { step: 'done' | 'refused'; text: string };

/** A logo is saved when it is chosen: a file cannot be part of a review. */
function Logo() {
  const [state, setState] = useState<LogoState>({ step: 'ready' });
  const run = async (change: (options: CallOptions) => Promise<string>) => {
    setState({ step: 'busy' });
    try {
      const text = await act(change);
      setState({ step: 'done', text });
      adopt(await loadSettings(), 'brand.logo');
      await refresh('settings');
    } catch (error) {
      if (error instanceof GivenUp) setState({ step: 'ready' });
      else setState({ step: 'refused', text: refusalOf(error) });
    }
  };
  const upload = async (file: File) => {
    const content = await base64Of(file);
    await run(async (options) => {
      const { url } = await api.brand.logo.set({ content }, options);
      siteLogo.value = url;
      return t('console-settings.logoSaved');
    });
  };
  const remove = () =>
    run(async (options) => {
      await api.brand.logo.delete(options);
      siteLogo.value = undefined;
      return t('console-settings.logoNone');
    });
  return (
    <div class="field">
      <label for="logo-file">{t('console-settings.logo')}</label>
      {siteLogo.value === undefined && <p class="muted">{t('console-settings.logoNone')}</p>}
      <input
        id="logo-file"
        type="file"
        accept=".svg,.png,image/svg+xml,image/png"
        aria-describedby="logo-hint"
        disabled={state.step === 'busy'}
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? [];
          if (file) void upload(file).finally(() => (input.value = ''));
        }}
      />
      <p class="field-hint" id="logo-hint">
        {t('console-settings.logoHint')}
      </p>
      {state.step === 'done' && <Notice kind="good">{state.text}</Notice>}
      {state.step === 'refused' && <Notice kind="bad">{state.text}</Notice>}
      {siteLogo.value !== undefined && (
        <div>
          <Button kind="quiet" busy={state.step === 'busy'} onClick={() => void remove()}>
            {t('console-settings.logoRemove')}
          </Button>
        </div>
      )}
    </div>
  );
}

function refusalOf(error: unknown): string {
  const reason = error instanceof TributaryError ? error.params['content'] : undefined;
  return reason === undefined
    ? sentenceOf(error)
    : t('console-settings.logoRefused', { reason: reason.replace(/\.$/, '') });
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
