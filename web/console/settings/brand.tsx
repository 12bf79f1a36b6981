import { useState } from 'preact/hooks';
import { accentColors, type ThemeAccent } from '../../../src/web-contract/accent-colors.ts';
import { api } from '../../api.ts';
import { siteLogo } from '../../frame/site-logo.ts';
import { useSession } from '../../session.ts';
import { SiteMark } from '../../ui/site-mark.tsx';
import { t } from '../../words.ts';
import { draft, errors, setChange, setError } from './draft.ts';
import { ImageUpload } from './image-upload.tsx';
import type { Version } from './setting-schema.ts';

const COLOR = /^#[0-9a-f]{6}$/;
/** What the picker shows while no colour is set: the built-in one. */
export const BUILT_IN = '#016b50';

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

function Logo() {
  return (
    <ImageUpload
      setting="brand.logo"
      label={t('console-settings.logo')}
      hint={t('console-settings.logoHint')}
      accept=".svg,.png,image/svg+xml,image/png"
      isSet={siteLogo.value !== undefined}
      saved={t('console-settings.logoSaved')}
      none={t('console-settings.logoNone')}
      removeLabel={t('console-settings.logoRemove')}
      save={async (content, options) => {
        siteLogo.value = (await api.brand.logo.set({ content }, options)).url;
      }}
      remove={async (options) => {
        await api.brand.logo.delete(options);
        siteLogo.value = undefined;
      }}
    />
  );
}
