import { languages, type Language } from '../../../src/shared/languages.ts';
import { api } from '../../api.ts';
import { reloadAccount, replaceAccount, useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ownNames } from '../../language-names.ts';
import { t } from '../../words.ts';
import { keepLanguage } from '../../keep-language.ts';
import { AddonParts } from '../addon-parts.tsx';

/** Name, address, language, and all data as a file. */
export function AboutSection() {
  const { account } = useSession();
  return (
    <>
      <Card title={t('portal-profile.about')}>
        <Facts facts={[{ name: t('portal-profile.login'), value: account.user.login }]} />
        <Form
          action={t('common.save')}
          done={t('common.saved')}
          submit={async ({ display_name = '' }, options) => {
            replaceAccount(await api.account.update({ display_name }, options));
          }}
        >
          <Field
            name="display_name"
            label={t('portal-profile.name')}
            hint={t('portal-profile.nameHint')}
            autocomplete="name"
            required
            defaultValue={account.user.display_name}
          />
        </Form>
      </Card>
      <AddressCard />
      <LanguageCard />
      <AddonParts place="profile" />
      <DataCard />
    </>
  );
}

function AddressCard() {
  const { account } = useSession();
  return (
    <Card title={t('portal-profile.address')}>
      <Facts facts={[{ name: t('portal-profile.addressNow'), value: account.user.email }]} />
      {account.pending_email && (
        <Notice kind="info">
          {t('portal-profile.addressPending', { address: account.pending_email })}
        </Notice>
      )}
      <Form
        action={t('portal-profile.addressAction')}
        kind="quiet"
        clears
        submit={async ({ email = '' }, options) => {
          await api.account.changeEmail({ email }, options);
          await reloadAccount();
        }}
        errorOf={() => t('portal-profile.addressFault')}
      >
        <Field
          name="email"
          type="email"
          label={t('portal-profile.addressNew')}
          hint={t('portal-profile.addressHint')}
          autocomplete="email"
          required
        />
      </Form>
    </Card>
  );
}

function LanguageCard() {
  const { account, program } = useSession();
  return (
    <Card title={t('common.language')}>
      <Form
        action={t('common.save')}
        kind="quiet"
        submit={async ({ language = '' }, options) => {
          const chosen = languages.find((known) => known === language);
          await api.account.update({ language: chosen ?? '' }, options);
          showLanguage(chosen ?? program.language);
        }}
      >
        <SelectField
          name="language"
          label={t('portal-profile.language')}
          hint={t('portal-profile.languageHint')}
          required
          value={account.language || 'store'}
          options={[
            {
              value: 'store',
              label: t('portal-profile.languageOfStore', {
                language: ownNames[program.language],
              }),
            },
            ...languages.map((language) => ({ value: language, label: ownNames[language] })),
          ]}
        />
      </Form>
    </Card>
  );
}

/** The server chooses the words of the page by this cookie, so the page is loaded again. */
function showLanguage(language: Language): void {
  keepLanguage(language);
  location.reload();
}

function DataCard() {
  const { account } = useSession();
  return (
    <Card title={t('portal-profile.data')}>
      <p>{t('portal-profile.dataText')}</p>
      <div class="form-actions">
        <DownloadButton
          label={t('portal-profile.dataAction')}
          fileName={`${account.user.login}.json`}
          load={async (options) =>
            new Response(JSON.stringify(await api.account.export(options), null, 2))
          }
        />
      </div>
    </Card>
  );
}
