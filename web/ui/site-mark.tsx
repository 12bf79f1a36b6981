import './site-mark.css';

interface SiteMarkProps {
  name: string;
  /** The path of the logo; the name is shown without one. */
  logo: string | undefined;
}

/** The store: its logo, or its name. */
export function SiteMark({ name, logo }: SiteMarkProps) {
  if (logo === undefined) return <>{name}</>;
  return <img class="site-mark" src={logo} alt={name} />;
}
