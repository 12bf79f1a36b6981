/** The icons that the web app uses. They only repeat the words next to them. */
export {
  Check as CheckIcon,
  ChevronLeft as PreviousIcon,
  ChevronRight as NextIcon,
  Copy as CopyIcon,
  Download as DownloadIcon,
  House as HomeIcon,
  Link as LinkIcon,
  LogOut as SignOutIcon,
  Search as SearchIcon,
  Share2 as ShareIcon,
  ShoppingBag as OrdersIcon,
  User as ProfileIcon,
  Wallet as MoneyIcon,
  X as CloseIcon,
  Landmark as PayoutDetailsIcon,
} from 'lucide-preact';
