"""Who may do what. Roles: viewer, dispatcher, engineer.

Only engineers start rollouts; a dispatcher may dim a street for at most four hours.
Tokens live 45 minutes and are bound to the TLS certificate of the caller.
"""
