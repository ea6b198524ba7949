# Generated from the registry by go generate ./... DO NOT EDIT.
# source <(browse completion bash)
_browse() {
  local cur=${COMP_WORDS[COMP_CWORD]} verb= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac
  done
  case $verb in
    '') COMPREPLY=($(compgen -W 'back chain click closetab doctor fill forward goto help html js links newtab press reload restart screenshot snapshot status stop tab tabs text type url wait' -- "$cur")) ;;
    goto) COMPREPLY=($(compgen -W '--fail --json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    back) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    forward) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    reload) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    url) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    snapshot) COMPREPLY=($(compgen -W '--interactive --compact --cursor-interactive --depth --selector --urls --all --json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    text) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    html) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    links) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    click) COMPREPLY=($(compgen -W '--button --count --modifiers --force --json --raw --tab-id --session --timeout --max-bytes --page left middle right' -- "$cur")) ;;
    fill) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    type) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    press) COMPREPLY=($(compgen -W '--target --json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    wait) COMPREPLY=($(compgen -W '--state --text --url --fn --load --domcontentloaded --networkidle --json --raw --tab-id --session --timeout --max-bytes --page visible hidden attached detached' -- "$cur")) ;;
    js) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    screenshot) COMPREPLY=($(compgen -W '--selector --viewport --clip --base64 --no-limit --json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    tabs) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    tab) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    newtab) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    closetab) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    chain) COMPREPLY=($(compgen -W '--continue --json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    status) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    stop) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    restart) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    doctor) COMPREPLY=($(compgen -W '--json --raw --tab-id --session --timeout --max-bytes --page' -- "$cur")) ;;
    help) COMPREPLY=($(compgen -W 'back chain click closetab doctor fill forward goto help html js links newtab press reload restart screenshot snapshot status stop tab tabs text type url wait' -- "$cur")) ;;
  esac
}
complete -o default -F _browse browse
