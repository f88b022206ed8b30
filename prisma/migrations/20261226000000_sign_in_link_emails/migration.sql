-- An invitation replaces the earlier ones of the same address.
CREATE INDEX "sign_in_links_email_idx" ON "sign_in_links"("email");
