/**
 * The tables, as types; the migrations make them. Money is integer cents, time is integer epoch
 * milliseconds, ids are text, on both engines.
 */
export interface Schema {
  accounts: AccountsTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  ssh_keys: SshKeysTable;
  rate_limits: RateLimitsTable;
}

interface AccountsTable {
  id: string;
  username: string;
  password_hash: string;
  recovery_hash: string;
  created_at: number;
}

interface SessionsTable {
  id: string;
  account_id: string;
  token_hash: string;
  created_at: number;
  last_seen_at: number;
  ends_at: number;
  ip_address: string;
  user_agent: string;
}

interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  scope: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

interface SshKeysTable {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: number;
}

interface RateLimitsTable {
  key: string;
  count: number;
  window_ends_at: number;
}
